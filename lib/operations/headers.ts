import { inlineSchema } from "#lib/http/openapi/schemas.ts";
import { WARNINGS_HEADER } from "#lib/http/response/png-response.ts";
import { RenderWarnings } from "#lib/schemas/warnings.ts";

/** An OpenAPI header object. */
function header(description: string): unknown {
  return { description, schema: { type: "string" } };
}

export const SET_COOKIE = {
  "Set-Cookie": header("The session, or its end. A login also sets the device cookie, which is no credential."),
};

export const CONTENT_DISPOSITION = header("The name of the file.");

/** For a picture that a browser may cache. */
export const CACHED_IMAGE = {
  ETag: header("Identifies everything that the picture was made of."),
  "Cache-Control": header("`private`: for the browser, not for shared caches."),
};

/** For the picture of a link. */
export const LINKED_HEADERS = {
  ETag: header("Identifies the picture. Absent for the picture of the fallback."),
  "Cache-Control": header(
    "`public`, for a day at most and never past the expiry. `no-store` for the picture of the fallback.",
  ),
  "Cross-Origin-Resource-Policy": header("`cross-origin`: pages of other sites may show it."),
};

/** For a rendered picture. */
export const PICTURE_HEADERS = {
  ETag: header(
    "Identifies everything that the picture was made of. Absent where that is not known, as with a fetched image.",
  ),
  "Server-Timing": header(
    "Milliseconds by stage; `shared` or `cache` for a picture that was not rendered for this request.",
  ),
  [WARNINGS_HEADER]: {
    description: "How the picture differs from the request, as JSON in ASCII. Absent where it does not differ.",
    content: { "application/json": { schema: inlineSchema(RenderWarnings) } },
  },
  "Preference-Applied": header("`handling=strict` where that was preferred."),
};

/** RFC 7240. */
export const PREFER_PARAMETER = {
  name: "Prefer",
  in: "header",
  required: false,
  description:
    "`handling=strict` refuses a picture with warnings: 422 `invalid_data`, with the warnings as its issues.",
  schema: { type: "string" },
  example: "handling=strict",
};
