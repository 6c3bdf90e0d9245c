/** Maps every error code of the service to its HTTP status. There is no other such map. */
export const STATUS_OF_CODE = {
  invalid_json: 400,
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  origin_mismatch: 403,
  wrong_password: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  email_taken: 409,
  last_admin: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  unknown_template: 422,
  unknown_variant: 422,
  invalid_data: 422,
  image_rejected: 422,
  rate_limited: 429,
  internal: 500,
  render_failed: 500,
  overloaded: 503,
  unavailable: 503,
  misconfigured: 503,
  render_timeout: 504,
} as const;

export type ErrorCode = keyof typeof STATUS_OF_CODE;

/** One fault of a request body. `path` is a JSON Pointer (RFC 6901). The empty string is the whole body. */
export type Issue = { path: string; code: string; message: string };

type AppErrorOptions = {
  issues?: Issue[];
  /** Headers that the response must have, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
};

const NAME = "AppError";

/** The error that the domain throws. Clients see its message, so it contains no secret. */
export class AppError extends Error {
  override name = NAME;
  readonly code: ErrorCode;
  readonly issues: Issue[];
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.issues = options.issues ?? [];
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return STATUS_OF_CODE[this.code];
  }

  /**
   * Makes `instanceof` compare the shape. Next's bundler gives routes, instrumentation and the server a copy of this
   * class each, and an error of one copy must be an instance for the others.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (
      value instanceof Error &&
      value.name === NAME &&
      "code" in value &&
      Object.hasOwn(STATUS_OF_CODE, String(value.code))
    );
  }
}

/** Appends one segment to a JSON Pointer, escaped as in RFC 6901. */
export function pointer(parent: string, segment: string | number): string {
  return `${parent}/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
