import type { Metadata } from "next";
import { joinedPath } from "#lib/http/path.ts";
import { requireStudio } from "../../../ui/guards.ts";
import { DocsPage } from "../../docs-page.tsx";

type Props = { params: Promise<{ slug: string[] }> };

async function slugOf({ params }: Props): Promise<string> {
  return joinedPath((await params).slug.map(decodeURIComponent));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Fields of ${await slugOf(props)}` };
}

export default async function TemplateReference(props: Props) {
  const path = `/docs/api/${await slugOf(props)}`;
  await requireStudio(path);
  return <DocsPage path={path} />;
}
