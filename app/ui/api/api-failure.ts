import type { ErrorCode, Issue } from "#lib/errors.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";

/** The code of the error body. `network`: no response; `unexpected`: a response that the service did not write. */
type FailureCode = ErrorCode | "network" | "unexpected";

/** Codes that concern one key of the body, and have no issues of their own. */
const FIELD_OF: Partial<Record<FailureCode, string>> = { email_taken: "/email", wrong_password: "/currentPassword" };

type FailureInit = {
  /** The HTTP status; 0 without a response. */
  status: number;
  code: FailureCode;
  message: string;
  requestId?: string | undefined;
  issues?: Issue[] | undefined;
  /** From `Retry-After`. */
  retryAfterSeconds?: number | undefined;
};

/** A failed request. The message is shown to the reader. */
export class ApiFailure extends Error {
  override name = "ApiFailure";
  readonly status: number;
  readonly code: FailureCode;
  /** The id of the request in the service log. */
  readonly requestId: string | undefined;
  readonly issues: Issue[];
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, message, requestId, issues, retryAfterSeconds }: FailureInit, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    const path = FIELD_OF[code];
    this.issues = issues ?? (path === undefined ? [] : [{ path, code, message }]);
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** All messages about a JSON Pointer of the body, such as `/data/title`, or below it. */
  issueAt(path: string): string | undefined {
    const found = this.issues.filter((issue) => issue.path === path || issue.path.startsWith(`${path}/`));
    return found.length === 0 ? undefined : found.map(({ message }) => message).join(" ");
  }

  /** The messages that no field shows: all but the issues at these pointers. */
  messagesExceptAt(paths: string[]): string[] {
    if (this.issues.length === 0) return [this.message];
    const isShown = (path: string) => paths.some((shown) => path === shown || path.startsWith(`${shown}/`));
    return this.issues.filter(({ path }) => !isShown(path)).map(({ message }) => message);
  }
}

export function networkFailure(cause: unknown): ApiFailure {
  const message = "The service could not be reached. Check your connection, then try again.";
  return new ApiFailure({ status: 0, code: "network", message }, { cause });
}

function isErrorAnswer(value: unknown): value is ErrorAnswer {
  if (typeof value !== "object" || value === null || !("error" in value)) return false;
  const { error } = value;
  return typeof error === "object" && error !== null && "code" in error && "message" in error;
}

/** Reads an error response. One that the service did not write, such as that of a proxy, is `unexpected`. */
export async function readFailure(response: Response): Promise<ApiFailure> {
  const value: unknown = await response.json().catch(() => undefined);
  const { status, headers } = response;
  if (!isErrorAnswer(value)) {
    const message = `Got a response with status ${status} that does not come from the service. Try again in a moment.`;
    return new ApiFailure({ status, code: "unexpected", message });
  }
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return new ApiFailure({ status, ...value.error, retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined });
}

/** Converts anything that was thrown into a failure that can be shown. */
export function toFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = "Something went wrong on this page. Reload it, then try again.";
  return new ApiFailure({ status: 0, code: "unexpected", message }, { cause: error });
}
