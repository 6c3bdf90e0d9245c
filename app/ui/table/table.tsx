import type { ReactNode } from "react";
import { ChevronDown } from "../content/icons.tsx";
import { PageLink } from "../page/page-link.tsx";

/** A sortable column. */
export type Column = {
  name: string;
  /** The address of the page sorted by it. */
  href: string;
  /** Undefined unless the rows are sorted by this column. */
  sorted: "ascending" | "descending" | undefined;
  className?: string | undefined;
};

type TableProps = {
  /** The accessible name. */
  caption: string;
  /** Sortable columns, or the names of others. An empty name is a column of buttons. */
  columns: (string | Column)[];
  /** The class names of the columns set their widths, so that they do not depend on the rows. */
  hasFixedWidths?: boolean;
  /** The class names of columns that cannot be sorted, in order. They set the widths of these columns. */
  widths?: string[];
  /** `Row`s. */
  children: ReactNode;
};

const HEADER =
  "px-3 py-2 text-left font-medium text-soft text-xs uppercase tracking-wider whitespace-nowrap first:pl-0 last:pr-0";

function SortLink({ name, href, sorted }: Column) {
  return (
    <>
      {/* A narrow window hides the header, so its link must not take the focus. */}
      <span className="sm:hidden">{name}</span>
      <PageLink
        href={href}
        scroll={false}
        className={`group hidden items-center gap-1 py-1 hover:text-ink sm:inline-flex ${sorted ? "text-ink" : ""}`}
      >
        {name}
        <span
          className={`${sorted ? "" : "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60"} ${sorted === "ascending" ? "rotate-180" : ""}`}
        >
          <ChevronDown />
        </span>
      </PageLink>
    </>
  );
}

/** A table. Below 640 px each row becomes a card, whose cells show the name of their column. */
export function Table({ caption, columns, widths, hasFixedWidths = widths !== undefined, children }: TableProps) {
  return (
    <table
      className={`block w-full text-[0.9375rem] sm:table sm:border-collapse ${hasFixedWidths ? "sm:table-fixed" : ""}`}
    >
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="sm:border-line sm:border-b">
          {columns.map((column, at) =>
            typeof column === "string" ? (
              <th key={column} scope="col" className={`${HEADER} ${widths?.[at] ?? ""}`}>
                {column === "" ? <span className="sr-only">Actions</span> : column}
              </th>
            ) : (
              <th
                key={column.name}
                scope="col"
                aria-sort={column.sorted}
                className={`${HEADER} ${column.className ?? ""}`}
              >
                <SortLink {...column} />
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody className="flex flex-col gap-3 sm:table-row-group">{children}</tbody>
    </table>
  );
}

/** A row of a `Table`, with one `Cell` per column. */
export function Row({ children, isFaded }: { children: ReactNode; isFaded?: boolean }) {
  return (
    <tr
      className={`flex flex-col gap-1.5 rounded-lg border border-line bg-surface p-4 sm:table-row sm:rounded-none sm:border-0 sm:border-b sm:bg-transparent ${isFaded ? "text-soft" : ""}`}
    >
      {children}
    </tr>
  );
}

type CellProps = {
  /** The name of the column, which a card shows beside the value. */
  label?: string;
  children: ReactNode;
  className?: string;
};

/** A cell of a `Row`. */
export function Cell({ label, children, className }: CellProps) {
  return (
    <td
      className={`flex min-w-0 flex-wrap items-baseline justify-between gap-x-4 align-middle [overflow-wrap:anywhere] sm:table-cell sm:px-3 sm:py-3 sm:first:pl-0 sm:last:pr-0 ${className ?? ""}`}
    >
      {label && (
        <span aria-hidden="true" className="text-soft text-sm sm:hidden">
          {label}
        </span>
      )}
      {children}
    </td>
  );
}
