import { WARNINGS_HEADER } from "#lib/http/response/png-response.ts";
import { RenderWarnings } from "#lib/schemas/warnings.ts";
import type { JsonSchema } from "#lib/templates/fields/field-type.ts";
import { schemaOf } from "./openapi-operations.ts";

function header(description: string, schema: JsonSchema = { type: "string" }): unknown {
  return { description, schema };
}

/** What comes with a picture, beside what every answer has. */
export const PICTURE_HEADERS: Record<string, unknown> = {
  ETag: header(
    "Names everything that the picture was made of. Absent where that is not known, as with a fetched image.",
  ),
  "Server-Timing": header(
    "Milliseconds by stage, or `shared` or `cache` for a picture that was not drawn for this request.",
  ),
  [WARNINGS_HEADER]: {
    description:
      "What the picture shows otherwise than it was asked for, as JSON in ASCII. Absent where there is nothing to say.",
    content: { "application/json": { schema: schemaOf(RenderWarnings) } },
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
