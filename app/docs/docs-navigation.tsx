import { PageLink } from "../ui/page/page-link.tsx";
import { ariaCurrent } from "../ui/shell/aria-current.ts";
import { DOC_PAGES } from "./doc-pages.ts";
import type { Heading } from "./markdown/parse.ts";

/** The path of the first page is a prefix of all others, which are not below it. */
function belowOf(page: string): string | undefined {
  return page === "/docs" ? undefined : `${page}/`;
}

/** Links to all pages of the documentation. */
export function DocsNavigation({ path }: { path: string }) {
  return (
    <nav aria-label="Documentation">
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-[0.9375rem] lg:flex-col lg:gap-0.5">
        {DOC_PAGES.map((page) => (
          <li key={page.path}>
            <PageLink
              href={page.path}
              aria-current={ariaCurrent(path, { href: page.path, prefix: belowOf(page.path) })}
              className="block border-transparent border-b-2 py-1.5 text-soft hover:text-ink aria-[current]:border-accent aria-[current]:text-ink forced-colors:not-aria-[current]:border-[Canvas] lg:border-b-0 lg:border-l-2 lg:pl-3"
            >
              {page.title}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The prefix of nearly every operation, left out of the list of headings. */
const PATH_PREFIX = "/api/service";

/** The headings of a page, as links. */
export function OnThisPage({ headings }: { headings: Heading[] }) {
  return (
    <ul className="flex flex-col text-sm">
      {headings.map(({ id, text, depth }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className={`block py-1 hover:text-ink [overflow-wrap:anywhere] ${depth > 2 ? "pl-3 text-soft" : "text-ink"}`}
          >
            {text.replace(PATH_PREFIX, "")}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The page before and the page after. */
export function DocsNeighbours({ path }: { path: string }) {
  const at = DOC_PAGES.findIndex((page) => page.path === path);
  if (at === -1) return null;
  const [previous, next] = [DOC_PAGES[at - 1], DOC_PAGES[at + 1]];
  const look = "flex-1 basis-56 rounded-lg border border-line bg-surface p-4 hover:border-edge";
  return (
    <nav aria-label="Neighbouring pages" className="mt-16 flex flex-wrap gap-4">
      {previous && (
        <PageLink href={previous.path} className={look}>
          <span className="block text-soft text-sm">Before</span>
          <span className="font-medium">{previous.title}</span>
        </PageLink>
      )}
      {next && (
        <PageLink href={next.path} className={`${look} text-right`}>
          <span className="block text-soft text-sm">Next</span>
          <span className="font-medium">{next.title}</span>
        </PageLink>
      )}
    </nav>
  );
}
