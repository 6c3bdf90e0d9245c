import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import { ScrollRegion } from "./scroll-region.tsx";

type CodeBlockProps = {
  code: string;
  /** The code as it is shown, where that is more than its text. */
  children?: ReactNode;
  /** What it is, to screen readers. */
  label: string;
  hasCopy?: boolean;
  /** Long lines break instead of scrolling, so that everything is seen at once. */
  wraps?: boolean;
};

/** Code as it stands. What is wider than its place scrolls, by keyboard too. */
export function CodeBlock({ code, children, label, hasCopy = true, wraps = false }: CodeBlockProps) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-code text-code-ink">
      <ScrollRegion
        label={label}
        fits={wraps}
        className="px-4 py-3.5 font-mono text-[0.8125rem] leading-relaxed focus-visible:-outline-offset-2"
      >
        <pre className={wraps ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : ""}>
          <code>{children ?? code}</code>
        </pre>
      </ScrollRegion>
      {hasCopy && (
        <div className="border-line border-t bg-surface px-3 py-2 text-ink">
          <CopyButton text={code} />
        </div>
      )}
    </div>
  );
}
