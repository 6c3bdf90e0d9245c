import { AppError } from "#lib/errors.ts";
import { PAGE_RETRY_SECONDS } from "#lib/http/http-limits.ts";
import { publicError } from "#lib/http/response/answer.ts";
import { logAnswer } from "./log-answer.ts";
import { currentRequestContext } from "./request-context.ts";
import { newRequestId } from "./request-id.ts";
import { noteRefusal } from "./request-metrics.ts";

/** What a page says that cannot be shown, and the id that the log has of it. */
export type PageRefusal = { error: AppError; requestId: string };

const UNAVAILABLE = 503;

function refusalOf(thrown: unknown): AppError {
  const error = publicError(thrown);
  if (error.status !== UNAVAILABLE) return error;
  const headers = { "Retry-After": String(PAGE_RETRY_SECONDS), ...error.headers };
  return new AppError(error.code, error.message, { issues: error.issues, headers, cause: thrown });
}

/** What a route threw is known as the cause of what its caller was told. */
function origin(thrown: unknown): unknown {
  return thrown instanceof AppError && thrown.cause !== undefined ? thrown.cause : thrown;
}

/**
 * Answers the page that is being made with the status and the headers of what was thrown, and logs and counts that, once for
 * each request: the title and the page fail of the same. Under a server that is not ours the status stays Next's.
 */
export function refusePage(thrown: unknown): PageRefusal {
  const context = currentRequestContext();
  const { requestId = newRequestId(), method = "GET", path = "" } = context ?? {};
  if (context?.refusal) return { error: context.refusal, requestId };
  const error = refusalOf(thrown);
  if (context) context.refusal = error;
  noteRefusal(error.code);
  logAnswer({ requestId, method, path, status: error.status }, { code: error.code, error: origin(thrown) });
  return { error, requestId };
}
