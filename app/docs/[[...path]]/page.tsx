import { decodedSegment, joinedPath } from "#lib/http/route/path.ts";
import { noSuchPage } from "#lib/http/server/page-error.ts";
import { requireStudio } from "../../ui/page/guards.ts";
import { publicRobots } from "../../ui/page/indexing.ts";
import { page, pageMetadata } from "../../ui/page/page-wrapper.tsx";
import { DOC_PAGES, TEMPLATE_PAGES } from "../doc-pages.ts";
import { docsContent } from "../docs-content.tsx";

type Props = { params: Promise<{ path?: string[] }> };

/** Authorises the reader. @returns the path of the page */
async function guardedPath({ params }: Props): Promise<string> {
  const { path = [] } = await params;
  const full = joinedPath(["/docs", ...path.map(decodedSegment)]);
  await requireStudio(full);
  return full;
}

/** @throws AppError `not_found` */
function titleOf(path: string): string {
  if (path.startsWith(TEMPLATE_PAGES)) return `Fields of ${path.slice(TEMPLATE_PAGES.length)}`;
  const page = DOC_PAGES.find((one) => one.path === path);
  if (page === undefined) throw noSuchPage();
  return page.title;
}

export const generateMetadata = pageMetadata(async (props: Props) => ({
  title: titleOf(await guardedPath(props)),
  robots: publicRobots(),
}));

export default page(async (props: Props) => docsContent(await guardedPath(props)));
