import { type ErrorCode, STATUS_OF_CODE } from "#lib/errors.ts";
import type { ErrorAnswer } from "#lib/schemas/error.ts";
import { ERROR_REFERENCE, WARNING_REFERENCE } from "./error-reference.ts";
import { code, example, parts, table } from "./table.ts";

const REQUEST_ID = "019aa3f2-7c41-7d20-9b1e-5f0c6a8d2e47";

const CODES = Object.keys(STATUS_OF_CODE) as ErrorCode[];

/** An error as the service answers it. */
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

const INTRODUCTION = `Every error of every route is JSON of one shape:

| key | meaning |
| --- | --- |
| \`code\` | one of the codes below; the only part that a program should depend on |
| \`message\` | a sentence for people: what the service got, and what it wants |
| \`requestId\` | also in the \`X-Request-Id\` header and in the server's log |
| \`issues\` | present when the fault lies in the body or the query: every fault at once, each with a \`path\` (a JSON Pointer into the body, such as \`/data/title\`), a \`code\` and a \`message\` |

A status from 400 to 422 is a fault of the request: the same request fails again. After 429 and 503 the same request may
succeed; \`Retry-After\` says in how many seconds, where that is known. After 500 and 504, try once more.`;

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
    "A picture that differs from its request is answered with warnings in the header `X-Render-Warnings`, as JSON in ASCII. With `Prefer: handling=strict` it is refused instead: [`invalid_data`](#invalid_data), with the warnings as its issues.",
    table(
      ["code", "what happened", "what to do"],
      Object.entries(WARNING_REFERENCE).map(([name, { cause, remedy }]) => [code(name), cause, remedy]),
    ),
  );
}
