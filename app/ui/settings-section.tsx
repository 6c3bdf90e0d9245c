import { type ReactNode, type Ref, useId } from "react";

type SettingsSectionProps = {
  title: string;
  /** A sentence about it. */
  lead: ReactNode;
  children: ReactNode;
  /** The heading, which takes the focus when what had it is gone. */
  heading?: Ref<HTMLHeadingElement>;
  /** Of the heading, where something else has to find it. */
  id?: string;
};

/** One matter of a page of settings: what it is on the left, where it is changed on the right. */
export function SettingsSection({ title, lead, children, heading, id }: SettingsSectionProps) {
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
