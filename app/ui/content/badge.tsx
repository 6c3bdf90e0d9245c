import type { ReactNode } from "react";

export type BadgeTone = "plain" | "good" | "warn" | "danger" | "info";

const TONES: Record<BadgeTone, string> = {
  plain: "border-line text-soft",
  good: "border-good/50 text-good",
  warn: "border-warn/50 text-warn",
  danger: "border-danger/50 text-danger",
  info: "border-info/50 text-info",
};

/** A short label, such as a role or a state. The colour only repeats what the text says. */
export function Badge({ tone = "plain", children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-full border bg-surface px-2 py-px font-medium text-xs whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
