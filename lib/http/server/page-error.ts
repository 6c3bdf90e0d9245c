import { AppError } from "#lib/errors.ts";
import { PAGE_RETRY_SECONDS } from "#lib/http/http-limits.ts";
import { publicError } from "#lib/http/response/answer.ts";
import { currentRequestContext, newRequestId } from "./request-context.ts";
import { logRequest } from "./request-log.ts";
import { noteRefusal } from "./request-metrics.ts";

/** The error that a page shows, and the request id under which the log has it. */
export type PageError = { error: AppError; requestId: string };

const UNAVAILABLE = 503;

function shownError(thrown: unknown): AppError {
  const error = publicError(thrown);
  if (error.status !== UNAVAILABLE) return error;
  const headers = { "Retry-After": String(PAGE_RETRY_SECONDS), ...error.headers };
  return new AppError(error.code, error.message, { issues: error.issues, headers, cause: thrown });
}

/** The error for the log. The in-process `call` of a route throws the public error, with the original as its cause. */
function loggedError(thrown: unknown): unknown {
  return thrown instanceof AppError && thrown.cause !== undefined ? thrown.cause : thrown;
}

/**
 * Gives the page that is being rendered the status and the headers of an error, and logs and counts the error. The title and
 * the body of a page fail with the same error, so only the first call of a request counts. Under another server than
 * `npm start`, the status is the one that Next sets.
 */
export function setPageError(thrown: unknown): PageError {
  const context = currentRequestContext();
  const { requestId = newRequestId(), method = "GET", path = "" } = context ?? {};
  if (context?.pageError) return { error: context.pageError, requestId };
  const error = shownError(thrown);
  if (context) context.pageError = error;
  noteRefusal(error.code);
  logRequest({ requestId, method, path, status: error.status }, { code: error.code, error: loggedError(thrown) });
  return { error, requestId };
}

/** The error of a page that is not there, or that the viewer may not know of. */
export function noSuchPage(): AppError {
  return new AppError("not_found", "There is no such page.");
}

/**
 * Gives the page that is being rendered the status 404. It is not logged, because anyone can ask for any address.
 * @returns false where Next has to answer: a navigation in the browser, and a request to another server than `npm start`
 */
export function setPageNotFound(): boolean {
  const context = currentRequestContext();
  if (!context || context.received?.headers.has("rsc")) return false;
  context.pageError ??= noSuchPage();
  return true;
}
