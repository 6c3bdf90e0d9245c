import { expect, test } from "vitest";
import { readFields } from "#lib/templates/field-values.ts";
import { fieldDeclaration } from "#lib/templates/fields/field-types.ts";

async function faultsOf(field: Record<string, unknown>, value: unknown): Promise<string[]> {
  const declarations = { field: fieldDeclaration.parse({ label: "Field", ...field }) };
  const { issues } = await readFields({ declarations, values: { field: value }, path: "/data" });
  return issues.map(({ path, code }) => `${path} ${code}`);
}

test.each([
  [
    { type: "money" },
    { amount: "1", currency: "eur", cents: 5 },
    ["/data/field/amount invalid_type", "/data/field/currency invalid_currency", "/data/field/cents invalid_type"],
  ],
  [
    { type: "money", max: 10 },
    { amount: 11, currency: "" },
    ["/data/field/amount out_of_range", "/data/field/currency invalid_currency"],
  ],
  [
    { type: "range", of: { type: "date" } },
    { from: "May", step: 1 },
    ["/data/field/from invalid_date", "/data/field/to invalid_type", "/data/field/step invalid_type"],
  ],
  [
    { type: "range", of: { type: "money" } },
    { from: { amount: 1.005, currency: "EUR" }, to: { amount: null } },
    [
      "/data/field/from/amount invalid_amount",
      "/data/field/to/amount invalid_type",
      "/data/field/to/currency invalid_currency",
    ],
  ],
  [
    { type: "progress" },
    { done: -1, total: 0, of: 2 },
    ["/data/field/of invalid_progress", "/data/field/total invalid_progress", "/data/field/done invalid_progress"],
  ],
  [{ type: "progress" }, { done: 5, total: 4 }, ["/data/field/done invalid_progress"]],
  [
    { type: "series" },
    [1, "2", { label: 5, value: 1e16, name: "x" }],
    [
      "/data/field/1 invalid_series",
      "/data/field/2/name invalid_series",
      "/data/field/2/label invalid_series",
      "/data/field/2/value invalid_series",
    ],
  ],
  [
    { type: "series" },
    { labels: ["a", 2], series: [{ name: 1, values: ["x", 2] }, { values: 5 }], x: 1 },
    [
      "/data/field/x invalid_series",
      "/data/field/series/0/values/0 invalid_series",
      "/data/field/series/0/name invalid_series",
      "/data/field/series/1 invalid_series",
      "/data/field/labels/1 invalid_series",
    ],
  ],
  [{ type: "series" }, { series: [{ values: [1] }, { values: [] }] }, ["/data/field/series/1/values invalid_series"]],
  [{ type: "series", maxPoints: 1 }, { series: [{ values: [1, "x"] }] }, ["/data/field/series too_long"]],
  [
    { type: "series", maxPoints: 400 },
    Array(400).fill("x"),
    Array.from({ length: 100 }, (_, index) => `/data/field/${index} invalid_series`),
  ],
  [
    { type: "code" },
    { text: 1, language: "pyton", lines: "one", tabs: 2 },
    [
      "/data/field/text invalid_type",
      "/data/field/language invalid_language",
      "/data/field/lines invalid_lines",
      "/data/field/tabs invalid_code",
    ],
  ],
  [{ type: "code" }, "\ud83d", ["/data/field invalid_text"]],
])("every fault of a value has the path of its part: %j refuses %j", async (field, value, faults) => {
  expect(await faultsOf(field, value)).toEqual(faults);
});

const MARKED = `e${"\u0301".repeat(35)}`;

test.each([
  [{ type: "code" }, MARKED],
  [{ type: "code" }, { text: MARKED }],
  [{ type: "series" }, [{ label: MARKED, value: 1 }]],
  [{ type: "series" }, { series: [{ name: MARKED, values: [1] }] }],
  [{ type: "barcode", symbology: "data-matrix" }, MARKED],
])("marks that would leave the field are refused: %j", async (field, value) => {
  const { issues } = await readFields({
    declarations: { field: fieldDeclaration.parse({ label: "Field", ...field }) },
    values: { field: value },
    path: "/data",
  });
  expect(issues.map(({ message }) => message)).toEqual([
    "Got a letter with more than 30 combining marks, want at most 30.",
  ]);
});
