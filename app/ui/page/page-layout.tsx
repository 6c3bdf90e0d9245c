import { type ReactNode, type Ref, useId } from "react";

type PageHeaderProps = {
  title: ReactNode;
  /** A sentence below the title. */
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
        {lead !== undefined && <p className="mt-2 max-w-prose text-soft [overflow-wrap:anywhere]">{lead}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-3">{actions}</div>}
    </div>
  );
}

type SectionProps = {
  title: string;
  /** A sentence below the title. */
  lead: ReactNode;
  children: ReactNode;
  /** The heading, for code that moves the focus to it. */
  heading?: Ref<HTMLHeadingElement>;
  /** The id of the heading. */
  id?: string;
};

/** A section of a settings page: title and description on the left, controls on the right. */
export function Section({ title, lead, children, heading, id }: SectionProps) {
  const ownId = useId();
  const headingId = id ?? ownId;
  return (
    <section
      aria-labelledby={headingId}
      className="grid items-start gap-x-12 gap-y-5 border-line border-t py-8 lg:grid-cols-[18rem_minmax(0,1fr)]"
    >
      <div>
        <h2
          ref={heading}
          id={headingId}
          tabIndex={-1}
          className="w-fit font-display font-semibold text-xl outline-offset-4"
        >
          {title}
        </h2>
        <p className="mt-1.5 max-w-[52ch] text-[0.9375rem] text-soft">{lead}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
