import { LinkButton } from "../form/button.tsx";

type PaginationProps = {
  /** From 1. */
  page: number;
  pageCount: number;
  /** The address of a page. */
  hrefOf: (page: number) => string;
};

/** Links to the previous and the next page of a list. Renders nothing for a single page. */
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
