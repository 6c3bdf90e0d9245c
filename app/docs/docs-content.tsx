import { noSuchPage } from "#lib/http/server/page-error.ts";
import { buttonLook } from "../ui/form/button.tsx";
import { PageHeader } from "../ui/page/page-layout.tsx";
import { serviceOrigin } from "../ui/page/service-origin.ts";
import { markdownPath, writePage } from "./doc-pages.ts";
import { DocsNavigation, DocsNeighbours, OnThisPage } from "./docs-navigation.tsx";
import { Markdown } from "./markdown/markdown.tsx";
import { parseMarkdown } from "./markdown/parse.ts";
import { pageSources } from "./page-sources.ts";

/** The content of a documentation page. The same Markdown is at its path with `.md`. @throws AppError `not_found` where there is no page */
export async function docsContent(path: string) {
  const written = await writePage(path, pageSources());
  if (written === undefined) throw noSuchPage();
  const parsed = parseMarkdown(written.body);
  const headings = parsed.headings.filter(({ depth }) => depth <= 3);
  const markdown = markdownPath(path);
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[11rem_minmax(0,1fr)] xl:grid-cols-[11rem_minmax(0,1fr)_14rem]">
      <link rel="alternate" type="text/markdown" href={markdown} />
      <div className="border-line border-b pb-4 lg:border-0 lg:pb-0">
        <div className="lg:sticky lg:top-8">
          <DocsNavigation path={path} />
        </div>
      </div>
      <article className="min-w-0 max-w-[52rem]">
        <PageHeader
          title={written.title}
          lead={written.summary}
          actions={
            <a href={markdown} className={buttonLook({ tone: "secondary", size: "small" })}>
              View as Markdown
            </a>
          }
        />
        {headings.length > 0 && (
          <details className="mb-8 rounded-lg border border-line bg-surface xl:hidden">
            <summary className="cursor-pointer px-4 py-3 font-medium text-[0.9375rem]">On this page</summary>
            <div className="px-4 pb-4">
              <OnThisPage headings={headings} />
            </div>
          </details>
        )}
        <div className="[overflow-wrap:anywhere] [&>:first-child]:mt-0">
          <Markdown parsed={parsed} origin={serviceOrigin()} />
        </div>
        <DocsNeighbours path={path} />
      </article>
      {headings.length > 0 && (
        <aside className="hidden xl:block" aria-label="On this page">
          <div className="sticky top-8 max-h-[calc(100dvh-4rem)] overflow-y-auto border-line border-l pl-5">
            <p className="mb-2 font-medium text-soft text-xs uppercase tracking-wider">On this page</p>
            <OnThisPage headings={headings} />
          </div>
        </aside>
      )}
    </div>
  );
}
