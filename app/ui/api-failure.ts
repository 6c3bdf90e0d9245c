import type { ErrorCode, Issue } from "#lib/errors.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";

/** What the service answered, or why nothing that is an answer of its own came back. */
type FailureCode = ErrorCode | "network" | "unexpected";

/** Refusals that are about one key of the body and come without issues. */
const FIELD_OF: Partial<Record<FailureCode, string>> = { email_taken: "/email", wrong_password: "/currentPassword" };

type Facts = {
  /** The HTTP status; 0 where none came. */
  status: number;
  code: FailureCode;
  message: string;
  requestId?: string | undefined;
  issues?: Issue[] | undefined;
  /** From `Retry-After`. */
  retryAfterSeconds?: number | undefined;
};

/** A request that did not succeed. The message is meant for the person who sent it. */
export class ApiFailure extends Error {
  override name = "ApiFailure";
  readonly status: number;
  readonly code: FailureCode;
  /** What the service's log knows the request by. */
  readonly requestId: string | undefined;
  readonly issues: Issue[];
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, message, requestId, issues, retryAfterSeconds }: Facts, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    const path = FIELD_OF[code];
    this.issues = issues ?? (path === undefined ? [] : [{ path, code, message }]);
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** What is wrong with the value at a JSON Pointer of the body, such as `/data/title`, or below it. */
  issueAt(path: string): string | undefined {
    return this.issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}/`))?.message;
  }

  /** What no field of the form can show: everything but the issues at these pointers. Empty where nothing is left. */
  restBeside(paths: string[]): string[] {
    if (this.issues.length === 0) return [this.message];
    const isShown = (path: string) => paths.some((shown) => path === shown || path.startsWith(`${shown}/`));
    return this.issues.filter(({ path }) => !isShown(path)).map(({ message }) => message);
  }
}

/** What a failed fetch is to the person who waits for it. */
export function networkFailure(cause: unknown): ApiFailure {
  const message = "The service could not be reached. Look at the connection, then try again.";
  return new ApiFailure({ status: 0, code: "network", message }, { cause });
}

function isErrorAnswer(value: unknown): value is ErrorAnswer {
  if (typeof value !== "object" || value === null || !("error" in value)) return false;
  const { error } = value;
  return typeof error === "object" && error !== null && "code" in error && "message" in error;
}

/** Reads an answer that is no success. What something between here and the service has made is `unexpected`. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const value: unknown = await response.json().catch(() => undefined);
  const { status, headers } = response;
  if (!isErrorAnswer(value)) {
    const message = `Got an answer with status ${status} that is not the service's own. Try again in a moment.`;
    return new ApiFailure({ status, code: "unexpected", message });
  }
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return new ApiFailure({ status, ...value.error, retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined });
}

/** What was caught, as a failure that can be shown. */
export function toFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = "This page made a mistake. Reload it, then try again.";
  return new ApiFailure({ status: 0, code: "unexpected", message }, { cause: error });
}
