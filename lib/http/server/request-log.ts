import type { ErrorCode } from "#lib/errors.ts";
import { LOGGED_PATH_CHARS } from "#lib/http/http-limits.ts";
import { log } from "#lib/log.ts";

/** Extra fields of a request's log line: names, ids and numbers, never text that a client sent. */
export type Facts = Record<string, string | number>;

/** The error of a request, and the code that the client got for it. */
export type Failure = { code: ErrorCode; error: unknown };

export type RequestLine = Facts & { requestId: string; method: string; path: string; status: number };

/** Only these are logged with a stack. Other errors are expected, and a flood of requests can cause a flood of them. */
const BUGS: ErrorCode[] = ["internal", "render_failed"];

/** The client gets a generic message for these, so the operator needs the reason in the log. */
const GENERIC: ErrorCode[] = ["origin_mismatch"];

/** Route names, slugs and ids. A secret has capitals or an underscore, or is longer than the 36 characters of an id. */
const LOGGED_SEGMENT = /^[a-z0-9.-]{0,36}$/;

/** A request's path for the log. Segments that may hold a secret, such as a token pasted into an address, become `…`. */
export function loggedPath(pathname: string): string {
  const segments = pathname.slice(0, LOGGED_PATH_CHARS).split("/");
  return segments.map((segment) => (LOGGED_SEGMENT.test(segment) ? segment : "…")).join("/");
}

/** The reason for the operator, which may quote a bad variable or header. */
function reasonOf({ code, error }: Failure): string {
  const reason = GENERIC.includes(code) && error instanceof Error ? error.cause : error;
  return reason instanceof Error ? reason.message : String(reason);
}

/** Whether a failure is a fault of the service itself. */
export function isBug({ code }: Failure): boolean {
  return BUGS.includes(code);
}

/** Logs one request as one line, at the level that its outcome deserves. */
export function logRequest(request: RequestLine, failure?: Failure): void {
  const line = { ...request, ...(failure && { code: failure.code }) };
  if (failure && isBug(failure)) log().error({ ...line, err: failure.error }, "failed");
  else if (failure && request.status >= 500) log().warn({ ...line, reason: reasonOf(failure) }, "refused");
  else if (failure && GENERIC.includes(failure.code)) log().info({ ...line, reason: reasonOf(failure) }, "refused");
  else log().info(line, "answered");
}
