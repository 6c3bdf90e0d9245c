import type { ErrorCode, Issue } from "#lib/errors.ts";

type ErrorEntry = {
  /** What has happened, in a sentence or two. */
  cause: string;
  /** What to do about it. Markdown. */
  remedy: string;
  /** A message as an answer has it. */
  message: string;
  issues?: Issue[];
};

/** What every error code means, and what to do about it. Markdown. */
export const ERROR_REFERENCE: Record<ErrorCode, ErrorEntry> = {
  invalid_json: {
    cause: "The body is empty, is not JSON, or is not UTF-8.",
    remedy:
      "Send a JSON object, made by a JSON library rather than by joining strings, without a byte order mark. The message says where reading stopped.",
    message: "Got an empty body, want a JSON object.",
  },
  invalid_request: {
    cause:
      "The JSON was read and has the wrong shape: a key that is unknown, missing or repeated, a value of the wrong type, or a name that JavaScript keeps for itself, such as `__proto__`. Also a query or a request line that cannot be understood.",
    remedy:
      "Mend what `issues` names: every fault is there at once, each with its place. The exact shapes are in the [API reference](/docs/api).",
    message: "The body has 1 fault.",
    issues: [{ path: "/templat", code: "unknown_field", message: 'Unknown field "templat". Did you mean "template"?' }],
  },
  unauthorized: {
    cause:
      "There are no credentials, or none that are good (any more): a token that is mistyped, revoked or of a deactivated user, a session that has ended, or a wrong email or password at sign-in.",
    remedy:
      "To render, send `Authorization: Bearer svc_…` with a live token. Everything else asks for a session: sign in again. An `Authorization` header decides alone, so leave it out where a session is meant.",
    message: "Want an API token as Authorization: Bearer, or a session of this service's pages.",
  },
  forbidden: {
    cause: "You are signed in, and this is for administrators.",
    remedy: "Ask an administrator to do it, or to make you one.",
    message: "Only an administrator may do this.",
  },
  origin_mismatch: {
    cause: "A change by session cookie did not come from one of the service's own pages.",
    remedy:
      "In a script, send an `Origin` header with the service's own origin. Behind a proxy, set `SERVICE_PUBLIC_ORIGIN` or `SERVICE_TRUST_PROXY`; the server's log says what was got and what is wanted. See [Running Platen](/docs/operations#accounts-and-tokens).",
    message: "This request does not come from one of this service's own pages.",
  },
  wrong_password: {
    cause: "The current password, which is asked for before a new one is set, is not right.",
    remedy: "Type it again. If it is lost, an administrator can set a new one.",
    message: "The current password is not right.",
  },
  not_found: {
    cause:
      "There is nothing at this address, or nothing that you may know of. With the access layer off, that is also the answer of every route for accounts and tokens.",
    remedy: "Check path and id. For routes of accounts, see whether the service runs with `SERVICE_AUTH_ENABLED=true`.",
    message: "There is nothing at this path.",
  },
  method_not_allowed: {
    cause: "The path exists, and not with this method.",
    remedy: "Use one of those in the answer's `Allow` header. Rendering is a `POST`.",
    message: "This method is not allowed here, want POST.",
  },
  email_taken: {
    cause: "Another user has this email. Upper and lower case do not make it another one.",
    remedy: "Choose another email, or change the user who has it.",
    message: "Another user has this email already.",
  },
  last_admin: {
    cause: "This would leave the service without an active administrator.",
    remedy: "Make somebody else an administrator first.",
    message: "This is the last active administrator, and one has to stay.",
  },
  payload_too_large: {
    cause: "The body is larger than the route reads: 12,000,000 bytes to render, 65,536 bytes everywhere else.",
    remedy:
      "Scale images down to the size that they are shown in before they are sent, or send their address, where the operator allows its host.",
    message: "Got a body of more than 12000000 bytes, which is the limit.",
  },
  unsupported_media_type: {
    cause: "The content type is not JSON, or the body is compressed.",
    remedy: "Send `Content-Type: application/json` (`charset=utf-8` may follow) and no `Content-Encoding`.",
    message: 'Got the content type "text/plain", want "application/json".',
  },
  unknown_template: {
    cause: "No template has this slug.",
    remedy:
      "Take a slug from the [templates](/) or from `GET /api/service/templates`. The message suggests one that is spelled much the same. A template of yours that is missing is faulty: `npm run templates` says why.",
    message: 'There is no template "social/qoute". Did you mean "social/quote"?',
  },
  unknown_variant: {
    cause: "The template has no variant of this name.",
    remedy: "Take one that the message lists, or leave `variant` out for the template's default.",
    message: '"social/quote" has no variant "buk". Want "book" or "poster" or "vertical" or "verse".',
  },
  invalid_data: {
    cause:
      "One or more values of `data` are not what their fields accept. With `Prefer: handling=strict`, also a picture that would have warnings.",
    remedy:
      "Mend what `issues` names; `path` leads to the value. What each field accepts is in the [reference of its template](/docs/api#templates-and-their-fields). Without strict handling, what is only a [warning](#warnings) does not refuse the picture.",
    message: '2 fields of template "social/quote" are invalid.',
    issues: [
      { path: "/data/quot", code: "unknown_field", message: 'Unknown field "quot". Did you mean "quote"?' },
      { path: "/data/accent", code: "invalid_color", message: 'Got "blu", want a hex colour such as #1d4ed8.' },
    ],
  },
  image_rejected: {
    cause:
      "An image of the request cannot be used: it is damaged, too large, not of the type that it claims, of a host that is not allowed, or its server did not answer.",
    remedy:
      "Send PNG, JPEG, WebP, GIF or AVIF. For addresses, the operator names the hosts in `SERVICE_IMAGE_HOSTS`. What is accepted is in [Writing a template](/docs/templates#images).",
    message: '1 field of template "social/story" is invalid.',
    issues: [
      {
        path: "/data/image",
        code: "image_rejected",
        message: "Got an image that ends early or is damaged, want a whole one.",
      },
    ],
  },
  rate_limited: {
    cause:
      "Too many attempts in a short time: sign-ins to one account or from one address, changes of a password, or new tokens. Rendering is never limited like that.",
    remedy: "Wait as many seconds as `Retry-After` says. Sessions and tokens go on meanwhile.",
    message: "Too many attempts. Please wait a little and try again.",
  },
  internal: {
    cause: "The service has made a mistake.",
    remedy: "Look in the server's log for the `requestId`, and report what it says there.",
    message: "Something went wrong on our side. The request id finds it in the log.",
  },
  render_failed: {
    cause:
      "The browser could not draw this picture: it ended, took more memory than it may have, or gave something that is no picture. Another browser has taken its place.",
    remedy:
      "Try once more. If the same request fails again, it is too heavy: use smaller images, or let the operator raise `SERVICE_RENDER_WORKER_MB`. The log has the reason under the `requestId`.",
    message: "The browser gave no picture.",
  },
  overloaded: {
    cause: "More is asked for at this moment than the service takes on.",
    remedy:
      "Wait as many seconds as `Retry-After` says, then try again, with fewer renders at once. The operator can add servers, workers (`SERVICE_RENDER_WORKERS`) or places in the queue (`SERVICE_RENDER_QUEUE`).",
    message: "Every browser is busy and 64 renders wait for one already.",
  },
  unavailable: {
    cause: "Something that the request needs is away: the database, the browser, or the service itself while it stops.",
    remedy: "Try again after `Retry-After`. The operator finds what is away in the log and at `GET /readyz`.",
    message: "The service cannot reach its database. Please try again shortly.",
  },
  misconfigured: {
    cause: "A setting that the request depends on is wrong, so that it is answered by nobody.",
    remedy:
      "This is for the operator: the log names every faulty variable and what it wants. All of them are in [Running Platen](/docs/operations#configuration).",
    message: "The service's configuration is faulty; its log says how.",
  },
  render_timeout: {
    cause: "The picture was not ready within the deadline (`SERVICE_RENDER_TIMEOUT_MS`), the wait included.",
    remedy:
      "Try again when less is going on. If it happens to the same request on an idle server, its images are very large or their servers slow.",
    message: "The picture was not finished within 30000 ms, the wait for a browser included.",
  },
};
