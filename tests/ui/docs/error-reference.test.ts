import { expect, test } from "vitest";
import { type ErrorCode, STATUS_OF_CODE } from "#lib/errors.ts";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import { RenderWarnings } from "#lib/schemas/warnings.ts";
import { ERROR_REFERENCE, WARNING_REFERENCE } from "../../../app/docs/content/error-reference.ts";
import { exampleError, writeErrors } from "../../../app/docs/content/errors.ts";
import { parseMarkdown } from "../../../app/docs/markdown/parse.ts";

const CODES = Object.keys(STATUS_OF_CODE) as ErrorCode[];

test("exactly the existing error codes are explained", () => {
  expect(Object.keys(ERROR_REFERENCE).toSorted()).toEqual(CODES.toSorted());
});

test("every code has a heading of its name, with status, cause and remedy", () => {
  const text = writeErrors();
  const ids = parseMarkdown(text).headings.map(({ id }) => id);
  const linked = ids.filter((id) => id in STATUS_OF_CODE);
  expect(linked).toEqual(CODES);
  for (const code of CODES) {
    const [, entry = ""] = text.split(`\n### ${code}\n`);
    const { cause, remedy } = ERROR_REFERENCE[code];
    expect(
      entry.startsWith(`\n**Status ${STATUS_OF_CODE[code]}.** ${cause}\n\n**What to do.** ${remedy}\n`),
      code,
    ).toBe(true);
  }
});

test.each(CODES)("the example of %s has the shape of an error", (code) => {
  expect(ErrorAnswer.parse(exampleError(code)).error.code).toBe(code);
});

test("exactly the existing warnings are explained", () => {
  const known = RenderWarnings.shape.warnings.element.shape.code.options;
  expect(Object.keys(WARNING_REFERENCE).toSorted()).toEqual(known.toSorted());
});
