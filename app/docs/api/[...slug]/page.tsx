import { joinedPath } from "#lib/http/route/path.ts";
import { requireStudio } from "../../../ui/page/guards.ts";
import { page, pageMetadata } from "../../../ui/page/page-wrapper.tsx";
import { docsContent } from "../../docs-page.tsx";

type Props = { params: Promise<{ slug: string[] }> };

async function slugOf({ params }: Props): Promise<string> {
  return joinedPath((await params).slug.map(decodeURIComponent));
}

async function guard(props: Props): Promise<{ path: string; slug: string }> {
  const slug = await slugOf(props);
  const path = `/docs/api/${slug}`;
  await requireStudio(path);
  return { path, slug };
}

export const generateMetadata = pageMetadata(async (props: Props) => {
  const { slug } = await guard(props);
  return { title: `Fields of ${slug}` };
});

async function TemplateReference(props: Props) {
  const { path } = await guard(props);
  return docsContent(path);
}

export default page(TemplateReference);
