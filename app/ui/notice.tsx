import type { ReactNode } from "react";

type NoticeTone = "info" | "warn" | "error";

const TONES: Record<NoticeTone, { look: string; word: string }> = {
  info: { look: "border-l-info", word: "Note" },
  warn: { look: "border-l-warn", word: "Warning" },
  error: { look: "border-l-danger", word: "Error" },
};

type NoticeProps = { tone?: NoticeTone; title?: ReactNode; children: ReactNode };

/** Something to know about what is on the page. It is not announced: `FailureNotice` is. */
export function Notice({ tone = "info", title, children }: NoticeProps) {
  const { look, word } = TONES[tone];
  return (
    <div className={`rounded-md border border-line border-l-4 bg-surface px-4 py-3 text-[0.9375rem] ${look}`}>
      <span className="sr-only">{word}: </span>
      {title !== undefined && <p className="font-semibold">{title}</p>}
      {children}
    </div>
  );
}
