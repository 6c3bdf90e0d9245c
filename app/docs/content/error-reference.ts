import type { z } from "zod";
import type { ErrorCode, Issue } from "#lib/errors.ts";
import type { RenderWarnings } from "#lib/schemas/warnings.ts";

type ErrorEntry = {
  /** What happened, in one or two sentences. Markdown. */
  cause: string;
  /** What to do about it. Markdown. */
  remedy: string;
  /** The message of an example. `tests/app/documented-examples.test.ts` produces each example. */
  message: string;
  issues?: Issue[];
};

/** What every error code means, and what to do about it. Markdown. */
export const ERROR_REFERENCE: Record<ErrorCode, ErrorEntry> = {
  invalid_json: {
    cause: "The body is empty, is not JSON, or is not UTF-8.",
    remedy:
      "Send a JSON object without a byte order mark. Build it with a JSON library rather than by joining strings. The message says where parsing stopped.",
    message: "Got an empty body, want a JSON object.",
  },
  invalid_request: {
    cause:
      "The JSON has the wrong shape: an unknown, missing or repeated key, a value of the wrong type, or a key that is reserved in JavaScript, such as `__proto__`. A malformed query or request line has this code too.",
    remedy:
      "Correct what `issues` lists: it names every fault at once, each with its place. The exact shapes are in the [API reference](/docs/api).",
    message: "The body has 1 fault.",
    issues: [{ path: "/dat", code: "unknown_field", message: 'Unknown field "dat". Did you mean "data"?' }],
  },
  unauthorized: {
    cause:
      "The request has no valid credentials: there are none, the token is mistyped, revoked or of a deactivated user, the session has ended, or the email or password of a login is wrong.",
    remedy:
      "To render, send `Authorization: Bearer svc_…` with a token that is not revoked. Everything else needs a session: sign in again. An `Authorization` header overrides the session cookie, so leave it out to use a session.",
    message: "Send `Authorization: Bearer <token>`, or sign in.",
  },
  forbidden: {
    cause: "You are signed in, but this is for administrators.",
    remedy: "Ask an administrator to do it, or to give you the role.",
    message: "Only an administrator may do this.",
  },
  origin_mismatch: {
    cause:
      "A request that changes something used the session cookie, but did not come from one of the service's own pages. In open mode: a page of another site sent a request other than a render.",
    remedy:
      "In a script, send an `Origin` header with the service's own origin. Behind a proxy, set `SERVICE_PUBLIC_ORIGIN` or `SERVICE_TRUST_PROXY`; the server's log says which origin it got and which it wants. See [Running Platen](/docs/operations#accounts-and-tokens).",
    message: "This request does not come from one of this service's own pages.",
  },
  wrong_password: {
    cause: "The current password, which is required to set a new one, is wrong.",
    remedy: "Type it again. If it is lost, an administrator can set a new one.",
    message: "The current password is wrong.",
  },
  not_found: {
    cause:
      "Nothing exists at this path, or you may not know that it does. With the access layer off, every route for accounts and tokens answers this.",
    remedy:
      "Check the path and the id. For routes of accounts, check that the service runs with `SERVICE_AUTH_ENABLED=true`.",
    message: "There is nothing at this path.",
  },
  method_not_allowed: {
    cause: "The path exists, but not with this method.",
    remedy: "Use a method of the answer's `Allow` header. Rendering is a `POST`.",
    message: "Got the method GET, want POST.",
  },
  request_timeout: {
    cause: "The body paused for 20 seconds or took longer than a minute, or the headers did not arrive in time.",
    remedy: "Send the whole request at once, on a new connection. On a slow line, send smaller images.",
    message: "The body did not arrive in time: it stalled before its end.",
  },
  email_taken: {
    cause: "Another user has this email. Case makes no difference.",
    remedy: "Choose another email, or change the user who has it.",
    message: "Another user has this email already.",
  },
  last_admin: {
    cause: "The change would leave the service without an active administrator.",
    remedy: "Make another user an administrator first.",
    message: "This is the last active administrator, and one has to stay.",
  },
  payload_too_large: {
    cause: "The body is larger than the route accepts: 12,000,000 bytes to render, 65,536 bytes everywhere else.",
    remedy:
      "Before sending images, scale them down to the size that they are shown in. Or send their URL, if the operator allows its host.",
    message: "Got a body of more than 12000000 bytes, which is the limit.",
  },
  unsupported_media_type: {
    cause: "The content type is not JSON, or the body is compressed.",
    remedy: "Send `Content-Type: application/json` (`charset=utf-8` may follow) and no `Content-Encoding`.",
    message: 'Got the content type "text/plain", want "application/json".',
  },
  misdirected_request: {
    cause:
      "The request names a host that a foreign site could have. Without accounts, such a site could use the service through the browser of anyone who visits it (DNS rebinding). `localhost`, addresses, names without a dot and names of private networks are always answered.",
    remedy:
      "To serve under a public name, set `SERVICE_HOSTS` to it, or `SERVICE_PUBLIC_ORIGIN` to the address of the service. See [Running Platen](/docs/operations#configuration).",
    message:
      "Got a host that this service does not answer to, want one that SERVICE_HOSTS or SERVICE_PUBLIC_ORIGIN names. Set one of the two to use this host.",
  },
  unknown_template: {
    cause: "No template has this slug.",
    remedy:
      "Take a slug from the [gallery](/) or from `GET /api/service/templates`. The message suggests a slug with a similar spelling. If your own template is missing, it is faulty: `npm run templates` says why.",
    message: 'There is no template "social/qoute". Did you mean "social/quote"? GET /api/service/templates lists them.',
  },
  unknown_variant: {
    cause: "The template has no variant of this name.",
    remedy: "Take a variant that the message lists, or leave `variant` out for the template's default.",
    message:
      '"social/quote" has no variant "buk". Did you mean "book"? Want "book" or "poster" or "vertical" or "verse".',
  },
  invalid_data: {
    cause:
      "One or more values of `data` are not accepted by their fields, or a text is so long that less than half of it would be shown (`text_too_long`). With `Prefer: handling=strict`, a picture with warnings has this code too.",
    remedy:
      "Correct what `issues` lists; `path` points at the value. The [reference of its template](/docs/api#templates-and-their-fields) says what each field accepts. Without strict handling, a [warning](#warnings) does not refuse the picture.",
    message: '2 fields of template "social/quote" are invalid.',
    issues: [
      { path: "/data/quot", code: "unknown_field", message: 'Unknown field "quot". Did you mean "quote"?' },
      { path: "/data/accent", code: "invalid_color", message: 'Got "blu", want a hex colour such as #1d4ed8.' },
    ],
  },
  image_rejected: {
    cause:
      "An image of the request cannot be used: it is damaged or too large, its type is not the declared one, its host is not allowed, or its server did not answer.",
    remedy:
      "Send PNG, JPEG, WebP, GIF or AVIF. To allow URLs, the operator lists their hosts in `SERVICE_IMAGE_HOSTS`. [Writing a template](/docs/templates#images) says what is accepted.",
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
      "Too many attempts in a short time: logins to one account or from one address, a known browser excepted, password changes, or new tokens. Rendering has no such limit.",
    remedy: "Wait as many seconds as `Retry-After` says. Existing sessions and tokens keep working.",
    message: "Too many attempts. Please wait a little and try again.",
  },
  internal: {
    cause: "The service has a bug.",
    remedy: "Find the `requestId` in the server's log, and report what the log says.",
    message: "The service failed. Search its log for the request id.",
  },
  render_failed: {
    cause:
      "The browser could not draw this picture: it crashed, exceeded its memory limit, or returned something that is not a picture, and a new browser replaces it. Or it refuses a font of the template.",
    remedy:
      "Try once more. If the same request fails again, it needs too much memory: use smaller images, or have the operator raise `SERVICE_RENDER_WORKER_MB`. A font that the message names is damaged: replace its file. The log has the reason under the `requestId`.",
    message: "The browser returned no picture.",
  },
  overloaded: {
    cause: "The service has more requests than it can queue.",
    remedy:
      "Wait as many seconds as `Retry-After` says, then try again with fewer renders at once. The operator can add servers, browsers (`SERVICE_RENDER_WORKERS`) or places in the queue (`SERVICE_RENDER_QUEUE`).",
    message: "All browsers are busy and 65 renders are waiting.",
  },
  unavailable: {
    cause:
      "Something that the request needs does not answer: the database or the browser. While the service stops, or when too many requests wait for the database, it answers this too.",
    remedy: "Try again after `Retry-After`. The log and `GET /readyz` tell the operator what does not answer.",
    message: "The service cannot reach its database. Please try again shortly.",
  },
  misconfigured: {
    cause: "A setting that the request depends on is invalid.",
    remedy:
      "For the operator: the log names every invalid variable and the values that it accepts. [Running Platen](/docs/operations#configuration) lists all variables.",
    message:
      "The service is not configured to render. SERVICE_RENDER_TIMEOUT_MS: want a number of milliseconds, 100 to 300000.",
  },
  render_timeout: {
    cause:
      "The picture was not ready within the deadline (`SERVICE_RENDER_TIMEOUT_MS`), which includes the wait in the queue.",
    remedy:
      "Try again when the service is less busy. If the same request fails on an idle server, its images are very large or their servers are slow.",
    message: "The picture was not finished within 30000 ms, the wait for a browser included.",
  },
};

type WarningCode = z.output<typeof RenderWarnings>["warnings"][number]["code"];

/** What every warning means, and what to do about it. Markdown. */
export const WARNING_REFERENCE: Record<WarningCode, { cause: string; remedy: string }> = {
  text_shrunk: {
    cause: "A text of the request was made smaller to fit.",
    remedy: "Nothing, or shorten the text.",
  },
  text_cut: {
    cause: "A text did not fit even at its smallest size, and ends in an ellipsis.",
    remedy: "Shorten it. The message says how many characters are shown.",
  },
  glyph_missing: {
    cause: "No font has these characters; the picture shows boxes.",
    remedy: "Replace the characters that the message names, or add a font that has them to the template.",
  },
  field_ignored: {
    cause: "With these edits and this variant, the template does not show this text, image, date or code.",
    remedy: "Leave the field out, or set the field that it belongs to. An image that is too thin needs another shape.",
  },
  bidi_changed: {
    cause: "A text had overrides of the text direction (U+202D, U+202E), or embeddings or isolates left open.",
    remedy: "Nothing, or send the text without these characters: every field is isolated already.",
  },
  low_contrast: {
    cause: "A text is hard to read in the picture: its contrast is below the 4.5:1 of WCAG, or 3:1 from 24 px.",
    remedy: "Send another colour or another image. The message says how much of the text is concerned.",
  },
  image_unavailable: {
    cause: "An image could not be fetched. The template permits a picture without it.",
    remedy: "Check that the image's server answers, or send the image itself as a `data:` URL.",
  },
  image_upscaled: {
    cause: "An image has so few pixels that the picture blows it up more than twice, and it looks blurred.",
    remedy: "Send the image at the size that the message names, or larger.",
  },
  image_cropped: {
    cause: "Less than half of an image is shown: its shape differs much from that of its place.",
    remedy: "Crop the image yourself, to the shape that the message names.",
  },
  list_shortened: {
    cause: "A list of the request has more items than the design shows.",
    remedy: "Nothing, or send fewer items. The message says how many are shown.",
  },
  qr_too_fine: {
    cause: "A QR code holds so much text that many readers cannot tell its modules apart.",
    remedy: "Send a shorter text, such as a short link, or make the code larger in the template.",
  },
  barcode_too_fine: {
    cause: "The bars or modules of a barcode are so narrow that many scanners cannot tell them apart.",
    remedy: "Send a shorter text, or make the code larger in the template.",
  },
};
