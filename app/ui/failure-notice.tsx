"use client";

import type { ApiFailure } from "./api-failure.ts";
import { Notice } from "./notice.tsx";

type FailureNoticeProps = {
  failure: ApiFailure | undefined;
  /** The JSON Pointers whose issues the form shows at their fields. */
  fields?: string[];
};

/** What a form says of a failure beside what its fields say. Announced at once. */
export function FailureNotice({ failure, fields = [] }: FailureNoticeProps) {
  const rest = failure?.restBeside(fields) ?? [];
  return (
    // Always there, so that what appears in it is announced; without words it takes no room.
    <div role="alert" className="empty:absolute">
      {failure && rest.length > 0 && (
        <Notice tone="error">
          {rest.map((message) => (
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
