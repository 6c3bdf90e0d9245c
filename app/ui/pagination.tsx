import { LinkButton } from "./link-button.tsx";

type PaginationProps = {
  /** From 1. */
  page: number;
  pageCount: number;
  /** The address of a page of the list. */
  hrefOf: (page: number) => string;
};

/** The way from page to page of a long list. Nothing where there is one page. */
export function Pagination({ page, pageCount, hrefOf }: PaginationProps) {
  if (pageCount <= 1) return null;
  return (
    <nav aria-label="Pages" className="mt-6 flex items-center justify-between gap-3">
      {page > 1 ? (
        <LinkButton size="small" rel="prev" href={hrefOf(page - 1)}>
          Previous
        </LinkButton>
      ) : (
        <span />
      )}
      <span className="text-soft text-sm tabular-nums">
        Page {page} of {pageCount}
      </span>
      {page < pageCount ? (
        <LinkButton size="small" rel="next" href={hrefOf(page + 1)}>
          Next
        </LinkButton>
      ) : (
        <span />
      )}
    </nav>
  );
}
