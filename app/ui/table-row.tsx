import type { ReactNode } from "react";

/** A row of a `Table`: `Cell`s, one per column. */
export function Row({ children, isFaded }: { children: ReactNode; isFaded?: boolean }) {
  return (
    <tr
      className={`flex flex-col gap-1.5 rounded-lg border border-line bg-surface p-4 sm:table-row sm:rounded-none sm:border-0 sm:border-b sm:bg-transparent ${isFaded ? "text-soft" : ""}`}
    >
      {children}
    </tr>
  );
}
