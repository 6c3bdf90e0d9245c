import type { ReactNode } from "react";

type PageHeaderProps = {
  title: ReactNode;
  /** A sentence about the page. */
  lead?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
};

/** The heading of a page. Every page has one. */
export function PageHeader({ title, lead, actions }: PageHeaderProps) {
  return (
    <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="font-display font-semibold text-2xl tracking-tight [overflow-wrap:anywhere]">{title}</h1>
        {lead !== undefined && <p className="mt-2 max-w-prose text-soft">{lead}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-3">{actions}</div>}
    </div>
  );
}
