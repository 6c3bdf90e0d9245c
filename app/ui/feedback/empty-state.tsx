import type { ReactNode } from "react";

type EmptyStateProps = {
  title: ReactNode;
  /** What belongs here, and what it is for. */
  children?: ReactNode;
  /** Such as a button that creates the first one. */
  action?: ReactNode;
};

/** Replaces an empty list. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="rounded-lg border border-edge border-dashed px-5 py-10 sm:px-10">
      <h2 className="font-display font-semibold text-xl">{title}</h2>
      {children !== undefined && <div className="mt-2 max-w-prose text-soft">{children}</div>}
      {action !== undefined && <div className="mt-5 flex flex-wrap gap-3">{action}</div>}
    </div>
  );
}
