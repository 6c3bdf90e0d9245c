import type { ErrorCode } from "#lib/errors.ts";
import { log } from "#lib/log.ts";

/** What a request's one line in the log says beside the usual: names, ids and numbers, never what a client has sent. */
export type Facts = Record<string, string | number>;

/** What was thrown, and the code that it was answered with. */
export type Failure = { code: ErrorCode; error: unknown };

/** The line of an answer. */
export type AnswerLine = Facts & { requestId: string; method: string; path: string; status: number };

/** Only these are logged with a stack. Any other refusal is the service at work: its reason says all, and there may be a flood of them. */
const BUGS: ErrorCode[] = ["internal", "render_failed"];

/** Refused with a sentence that says nothing, while the operator has to find out what a proxy does wrong. */
const GENERIC: ErrorCode[] = ["origin_mismatch"];

/** For the operator, and so with what a bad variable or header holds. */
function reasonOf({ code, error }: Failure): string {
  const told = GENERIC.includes(code) && error instanceof Error ? error.cause : error;
  return told instanceof Error ? told.message : String(told);
}

/** Whether a failure is a fault of the service itself. */
export function isBug({ code }: Failure): boolean {
  return BUGS.includes(code);
}

/** Logs one answer as one line; as an error with its stack where it is a fault of the service. */
export function logAnswer(answer: AnswerLine, failure?: Failure): void {
  const line = { ...answer, ...(failure && { code: failure.code }) };
  if (failure && isBug(failure)) log().error({ ...line, err: failure.error }, "failed");
  else if (failure && answer.status >= 500) log().warn({ ...line, reason: reasonOf(failure) }, "refused");
  else if (failure && GENERIC.includes(failure.code)) log().info({ ...line, reason: reasonOf(failure) }, "refused");
  else log().info(line, "answered");
}
