import type { ReactNode } from "react";

type CellProps = {
  /** The column's name, which a narrow window shows beside the value. Absent for the row's own name and for buttons. */
  label?: string;
  children: ReactNode;
  className?: string;
};

/** One value of a `Row`. */
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
