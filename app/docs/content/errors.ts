import { type ErrorCode, STATUS_OF_CODE } from "#lib/errors.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";
import { ERROR_REFERENCE } from "./error-reference.ts";
import { code, example, parts, table } from "./table.ts";
import { WARNING_REFERENCE } from "./warning-reference.ts";

const REQUEST_ID = "01KAGD2Z6Q8S5E4K2V9X7B3M1N";

const CODES = Object.keys(STATUS_OF_CODE) as ErrorCode[];

/** An answer as the service gives it. */
export function exampleError(name: ErrorCode): ErrorAnswer {
  const { message, issues } = ERROR_REFERENCE[name];
  return { error: { code: name, message, requestId: REQUEST_ID, ...(issues && { issues }) } };
}

function entry(name: ErrorCode): string {
  const { cause, remedy } = ERROR_REFERENCE[name];
  return parts(
    `### ${name}`,
    `**Status ${STATUS_OF_CODE[name]}.** ${cause}`,
    `**What to do.** ${remedy}`,
    example(name, exampleError(name)),
  );
}

const INTRODUCTION = `Every error of every route is JSON with one shape, whatever went wrong and wherever:

| key | meaning |
| --- | --- |
| \`code\` | one of the codes below; the only part that a program should decide by |
| \`message\` | a sentence for people: what was got, and what is wanted |
| \`requestId\` | also the \`X-Request-Id\` header, and in the server's log beside what happened |
| \`issues\` | there when the request was understood and wrong: every fault at once, each with a \`path\` (a JSON Pointer into the body, such as \`/data/title\`), a \`code\` and a \`message\` |

Codes with a status from 400 to 422 are for whoever sends: the same request fails again. After 429 and 503 the same request
may succeed; where it is known when, \`Retry-After\` says so in seconds. 500 and 504 are worth one more try.`;

function summary(): string {
  const statuses = [...new Set(CODES.map((name) => STATUS_OF_CODE[name]))];
  const line = (status: number) =>
    CODES.filter((name) => STATUS_OF_CODE[name] === status)
      .map(linked)
      .join(", ");
  return statuses.map((status) => `- **${status}** ${line(status)}`).join("\n");
}

const linked = (name: ErrorCode) => `[${code(name)}](#${name})`;

/** Every error code and every warning, with cause and remedy. */
export function writeErrors(): string {
  return parts(
    INTRODUCTION,
    "## All codes",
    summary(),
    "## Cause and remedy",
    ...CODES.map(entry),
    "## Warnings",
    "A picture that shows something else than was asked for is still a picture. It says so in the header `X-Render-Warnings`, as JSON in ASCII; with `Prefer: handling=strict` it is refused instead, with these as the issues of an [`invalid_data`](#invalid_data).",
    table(
      ["code", "what happened", "what to do"],
      Object.entries(WARNING_REFERENCE).map(([name, { cause, remedy }]) => [code(name), cause, remedy]),
    ),
  );
}
