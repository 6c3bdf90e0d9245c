import type { ReactNode } from "react";
import type { ApiFailure } from "../api/api-failure.ts";

type NoticeTone = "info" | "warn" | "error";

const TONES: Record<NoticeTone, { look: string; word: string }> = {
  info: { look: "border-l-info", word: "Note" },
  warn: { look: "border-l-warn", word: "Warning" },
  error: { look: "border-l-danger", word: "Error" },
};

type NoticeProps = { tone?: NoticeTone; title?: ReactNode; children: ReactNode };

/** A notice in the page. Screen readers do not announce it, unlike a `FailureNotice`. */
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

type FailureNoticeProps = {
  failure: ApiFailure | undefined;
  /** The JSON Pointers whose issues the fields of the form show. */
  fields?: string[];
};

/** The messages of a failure that no field of the form shows. Announced at once. */
export function FailureNotice({ failure, fields = [] }: FailureNoticeProps) {
  const messages = failure?.messagesExceptAt(fields) ?? [];
  return (
    // Always rendered, because screen readers announce only changes in an alert that exists; empty, it takes no space.
    <div role="alert" className="empty:absolute">
      {failure && messages.length > 0 && (
        <Notice tone="error">
          {messages.map((message) => (
            <p key={message}>{message}</p>
          ))}
          {failure.requestId && failure.status >= 500 && (
            <p className="mt-1 font-mono text-soft text-xs">Request {failure.requestId}</p>
          )}
        </Notice>
      )}
    </div>
  );
}
