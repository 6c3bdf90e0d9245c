import type { ReactNode } from "react";

type SectionProps = {
  /** Of the heading, which takes the focus when what had it is gone. */
  id: string;
  title: string;
  /** A sentence about it. */
  lead?: ReactNode;
  children: ReactNode;
};

/** One part of a page of settings: what it is about on one side, the controls on the other. */
export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-16 gap-y-5 border-line border-t py-8 lg:grid-cols-[minmax(0,19rem)_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} tabIndex={-1} className="font-semibold text-lg">
          {title}
        </h2>
        {lead !== undefined && <p className="mt-1 max-w-prose text-soft text-sm">{lead}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
