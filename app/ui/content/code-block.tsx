import { type ReactNode, useId } from "react";
import { CopyButton } from "./copy-button.tsx";

type ScrollRegionProps = {
  /** The accessible name. */
  label: string;
  /** The content never overflows, so the region needs no keyboard focus. */
  fits?: boolean;
  className: string;
  /** The id of an element that describes the region. */
  describedBy?: string | undefined;
  children: ReactNode;
};

/** A region that scrolls sideways when its content is too wide, by keyboard too. */
export function ScrollRegion({ label, fits = false, className, describedBy, children }: ScrollRegionProps) {
  return (
    <section
      aria-label={label}
      aria-describedby={describedBy}
      tabIndex={fits ? undefined : 0}
      className={`overflow-x-auto ${className}`}
    >
      {children}
    </section>
  );
}

type CodeBlockProps = {
  code: string;
  /** The highlighted code. Without it the plain text is shown. */
  children?: ReactNode;
  /** The accessible name. */
  label: string;
  hasCopy?: boolean;
  /** Long lines wrap instead of scrolling. */
  wraps?: boolean;
  /** Why the code does not work. Shown beside the copy button. */
  fault?: string | undefined;
};

/** A block of code with a copy button. */
export function CodeBlock({ code, children, label, hasCopy = true, wraps = false, fault }: CodeBlockProps) {
  const faultId = useId();
  return (
    <div
      className={`overflow-hidden rounded-lg border bg-code text-code-ink ${fault === undefined ? "border-line" : "border-danger"}`}
    >
      <ScrollRegion
        label={label}
        describedBy={fault === undefined ? undefined : faultId}
        fits={wraps}
        className="px-4 py-3.5 font-mono text-[0.8125rem] leading-relaxed focus-visible:-outline-offset-2"
      >
        {/* Paper does not scroll. */}
        <pre
          className={
            wraps
              ? "whitespace-pre-wrap [overflow-wrap:anywhere]"
              : "print:whitespace-pre-wrap print:[overflow-wrap:anywhere]"
          }
        >
          <code>{children ?? code}</code>
        </pre>
      </ScrollRegion>
      {hasCopy && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t bg-surface px-3 py-2 text-ink">
          <CopyButton text={code} />
          {fault !== undefined && (
            <p id={faultId} className="min-w-0 text-danger text-sm [overflow-wrap:anywhere]">
              {fault}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
