import Link from "next/link";
import type { ReactNode } from "react";
import { ChevronDown } from "./icons.tsx";

/** A column whose name is a link that sorts by it. */
export type Column = {
  name: string;
  /** The address of the rows in the order that a press asks for. */
  href: string;
  /** Undefined where the rows are in another column's order. */
  sorted: "ascending" | "descending" | undefined;
  className?: string | undefined;
};

type TableProps = {
  /** Says what the rows are, to screen readers. */
  caption: string;
  /** The columns, or their names where they do not sort. An empty name is a column of buttons. */
  columns: (string | Column)[];
  /** The columns' class names give their widths, so that nothing moves when other rows come. */
  hasFixedWidths?: boolean;
  /** `Row`s. */
  children: ReactNode;
};

const HEADER =
  "px-3 py-2 text-left font-medium text-soft text-xs uppercase tracking-wider whitespace-nowrap first:pl-0 last:pr-0";

function SortLink({ name, href, sorted }: Column) {
  return (
    <>
      {/* A card has no header to press: what cannot be seen is not to be focused. */}
      <span className="sm:hidden">{name}</span>
      <Link
        href={href}
        prefetch={false}
        scroll={false}
        className={`group hidden items-center gap-1 py-1 hover:text-ink sm:inline-flex ${sorted ? "text-ink" : ""}`}
      >
        {name}
        <span
          className={`${sorted ? "" : "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60"} ${sorted === "ascending" ? "rotate-180" : ""}`}
        >
          <ChevronDown />
        </span>
      </Link>
    </>
  );
}

/** Rows and columns; below 640 px every row is a card, whose cells say their column. */
export function Table({ caption, columns, hasFixedWidths, children }: TableProps) {
  return (
    <table
      className={`block w-full text-[0.9375rem] sm:table sm:border-collapse ${hasFixedWidths ? "sm:table-fixed" : ""}`}
    >
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="sm:border-line sm:border-b">
          {columns.map((column) =>
            typeof column === "string" ? (
              <th key={column} scope="col" className={HEADER}>
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
