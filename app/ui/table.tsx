import type { ReactNode } from "react";

type TableProps = {
  /** Says what the rows are, to screen readers. */
  caption: string;
  /** The columns' names. An empty one is a column of buttons. */
  columns: string[];
  /** `Row`s. */
  children: ReactNode;
};

/** Rows and columns; below 640 px every row is a card, whose cells say their column. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <table className="block w-full text-[0.9375rem] sm:table sm:border-collapse">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="sm:border-line sm:border-b">
          {columns.map((name) => (
            <th
              key={name}
              scope="col"
              className="px-3 py-2 text-left font-medium text-soft text-xs uppercase tracking-wider first:pl-0 last:pr-0"
            >
              {name === "" ? <span className="sr-only">Actions</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="flex flex-col gap-3 sm:table-row-group">{children}</tbody>
    </table>
  );
}
