import { type ReactNode, type Ref, useId } from "react";

type AccountSectionProps = {
  title: string;
  explanation: ReactNode;
  children: ReactNode;
  /** The heading, which then takes focus. */
  heading?: Ref<HTMLHeadingElement>;
};

/** One matter of the account: what it is on the left, where it is changed on the right. */
export function AccountSection({ title, explanation, children, heading }: AccountSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid items-start gap-x-12 gap-y-5 border-line border-t py-8 lg:grid-cols-[18rem_minmax(0,42rem)]"
    >
      <div>
        <h2
          ref={heading}
          id={id}
          tabIndex={heading ? -1 : undefined}
          className="w-fit font-display font-semibold text-xl outline-offset-4"
        >
          {title}
        </h2>
        <p className="mt-1.5 max-w-[52ch] text-[0.9375rem] text-soft">{explanation}</p>
      </div>
      {children}
    </section>
  );
}
