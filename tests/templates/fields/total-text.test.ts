import { expect, test } from "vitest";
import { readFields } from "#lib/templates/field-values.ts";
import { fieldDeclaration } from "#lib/templates/fields/field-types.ts";

const declare = (field: object) => fieldDeclaration.parse({ label: "Label", ...field });

const DECLARATIONS = {
  title: declare({ type: "text", maxLength: 5_000 }),
  lead: declare({ type: "emphasis", maxLength: 5_000 }),
  rows: declare({
    type: "list",
    item: {
      note: { type: "text", label: "Note", maxLength: 500 },
      program: { type: "code", label: "Program", maxLength: 500 },
    },
    max: 90,
    overflow: "more",
  }),
};

async function issuesOf(values: Record<string, unknown>) {
  return (await readFields({ declarations: DECLARATIONS, values, path: "/data" })).issues;
}

const rows = (count: number, item: object) => Array.from({ length: count }, () => item);
const words = (length: number) => "word ".repeat(length / 5 - 1).padEnd(length, "x");

test("the texts of a request have at most 50,000 characters together", async () => {
  const full = { title: words(5_000), lead: words(5_000), rows: rows(80, { note: words(500) }) };
  expect(await issuesOf(full)).toEqual([]);
  expect(await issuesOf({ ...full, rows: [...rows(80, { note: words(500) }), { note: "x" }] })).toEqual([
    {
      path: "/data",
      code: "too_long",
      message: "Got 50,001 characters in all texts together, want at most 50,000. Send shorter texts or fewer items.",
    },
  ]);
});

test("code counts, and items that are not shown do not", async () => {
  expect(await issuesOf({ rows: rows(90, { note: words(500), program: words(60) }) })).toMatchObject([
    { code: "too_long" },
  ]);
  expect(await issuesOf({ rows: rows(100, { note: words(500) }) })).toEqual([]);
});

test("it is told beside the other faults", async () => {
  const found = await issuesOf({ title: 1, rows: rows(90, { note: words(500), program: words(60) }) });
  expect(found.map(({ path }) => path)).toEqual(["/data/title", "/data"]);
});
