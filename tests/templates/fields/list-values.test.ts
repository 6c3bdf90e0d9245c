import sharp from "sharp";
import { expect, test } from "vitest";
import { readFields } from "#lib/templates/field-values.ts";
import { type FieldDeclaration, fieldDeclaration, fieldType } from "#lib/templates/fields/field-types.ts";

const ROWS = {
  type: "list",
  label: "Rows",
  item: {
    name: { type: "text", label: "Name", required: true, maxLength: 20 },
    amount: { type: "number", label: "Amount", min: 0 },
    tone: { type: "select", label: "Tone", options: ["plain", "loud"], default: "plain" },
    note: { type: "text", label: "Note" },
  },
  min: 1,
  max: 3,
  overflow: "more",
};

const declare = (fields: Record<string, object>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldDeclaration.parse(field)]));

async function blank(width: number, height: number): Promise<string> {
  const image = sharp({ create: { width, height, channels: 3, background: "#fff" } });
  return `data:image/png;base64,${(await image.png().toBuffer()).toString("base64")}`;
}

async function readRows(rows: unknown, declaration: object = ROWS) {
  return await readFields({ declarations: declare({ rows: declaration }), values: { rows }, path: "/data" });
}

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `n${index}` }));

test("every field of an item is there, and an absent optional one is empty or its setting", async () => {
  const { values, issues } = await readRows([
    { name: " Ada ", amount: 3 },
    { name: "Bo", note: "", tone: "loud" },
  ]);
  expect(issues).toEqual([]);
  expect(values.rows).toEqual({
    items: [
      { name: "Ada", amount: 3, tone: "plain", note: null },
      { name: "Bo", amount: null, tone: "loud", note: null },
    ],
    more: 0,
  });
});

test("every fault of every item is reported at once, where it is", async () => {
  const { issues } = await readRows([
    { name: "Ada", amount: "3" },
    5,
    { amout: 3, name: "" },
    ["Bo"],
    { name: "x".repeat(21), tone: "shrill" },
  ]);
  expect(issues.map(({ path, code }) => `${path} ${code}`).toSorted()).toEqual([
    "/data/rows/0/amount invalid_type",
    "/data/rows/1 invalid_type",
    "/data/rows/2/amout unknown_field",
    "/data/rows/2/name required",
    "/data/rows/3 invalid_type",
    "/data/rows/4/name too_long",
    "/data/rows/4/tone invalid_option",
  ]);
  const messageAt = (path: string) => issues.find((issue) => issue.path === path)?.message;
  expect(messageAt("/data/rows/2/amout")).toContain('Did you mean "amount"?');
  expect(messageAt("/data/rows/1")).toBe('Got 5, want an object with "name", "amount", "tone", "note".');
});

test.each([
  ["no array", "rows", {}, "invalid_type"],
  ["an object", { name: "x" }, {}, "invalid_type"],
  ["too few items", namesOf(1), { min: 2 }, "too_few"],
  ["more items than any request may have", namesOf(101), {}, "too_many"],
  ["more items than the design shows, of a list that refuses them", namesOf(4), { overflow: "refuse" }, "too_many"],
  ["no items of a list that is required", [], { required: true }, "required"],
])("%s are refused", async (_, rows, declared, code) => {
  const { issues } = await readRows(rows, { ...ROWS, ...declared });
  expect(issues.map((issue) => `${issue.path} ${issue.code}`)).toEqual([`/data/rows ${code}`]);
});

test.each([null, "", [], undefined])("%j leaves an optional list empty", async (rows) => {
  const { values, issues } = await readRows(rows);
  expect([values.rows, issues]).toEqual([null, []]);
});

test.each(["more", "drop"])("items beyond the most are left out with a warning (%s)", async (overflow) => {
  const { values, issues, warnings } = await readRows(namesOf(5), { ...ROWS, overflow });
  expect(issues).toEqual([]);
  expect(values.rows).toMatchObject({ items: [{ name: "n0" }, { name: "n1" }, { name: "n2" }], more: 2 });
  expect(warnings).toEqual([{ path: "/data/rows", code: "list_shortened", message: "Shows 3 of 5 items." }]);
});

test("an item that is left out is checked too", async () => {
  const { issues } = await readRows([...namesOf(3), { name: "x", amount: -1 }]);
  expect(issues.map(({ path }) => path)).toEqual(["/data/rows/3/amount"]);
});

test("the images of all items that are shown share the pixel budget of the request", async () => {
  const rows = { ...ROWS, min: 0, max: 2, overflow: "drop", item: { photo: { type: "image", label: "Photo" } } };
  const [large, small] = [await blank(6_000, 5_000), await blank(10, 10)];
  const read = await readRows([{ photo: large }, { photo: large }, { photo: "never read" }], rows);
  expect(read.issues.map(({ path, message }) => `${path} ${message}`)).toEqual([
    "/data/rows/1/photo Got 60,000,000 pixels with the images before it, want at most 50,000,000 in a request.",
  ]);
  const { values } = await readRows([{ photo: small }, { photo: null }], rows);
  expect(values.rows).toMatchObject({ items: [{ photo: small }, { photo: null }] });
});

test("one request fetches a limited number of images", async () => {
  const rows = { ...ROWS, min: 0, max: 40, item: { photo: { type: "image", label: "Photo" } } };
  const addresses = Array.from({ length: 26 }, (_, index) => ({ photo: `https://images.example/${index}.png` }));
  const { issues } = await readRows(addresses, rows);
  const refused = issues.filter(({ message }) => message.includes("more than 24"));
  expect(refused.map(({ path }) => path)).toEqual(["/data/rows/24/photo", "/data/rows/25/photo"]);
});

test("a list that a request does not name keeps the items of the variant", async () => {
  const declarations = declare({ rows: ROWS, title: { type: "text", label: "Title" } });
  const base = { rows: { items: [{ name: "Ada" }], more: 0 }, title: "x" };
  const { values } = await readFields({ declarations, values: { title: "y" }, base, path: "/data" });
  expect(values).toEqual({ rows: base.rows, title: "y" });
});

test("words of an item that follow the language are translated, unless the item has its own", async () => {
  const points = { type: "text", label: "Unit", default: "points", translations: { de: "Punkte" } };
  const declarations = declare({
    title: { type: "text", label: "Title", required: true },
    rows: { ...ROWS, item: { unit: points } },
  });
  const values = { title: "Die besten Wanderungen im Schwarzwald", rows: [{}, { unit: "points" }] };
  const read = await readFields({ declarations, values, path: "/data" });
  expect(read.values.rows).toEqual({ items: [{ unit: "Punkte" }, { unit: "points" }], more: 0 });
});

test("the schema of a list describes its items", () => {
  const declaration = fieldDeclaration.parse(ROWS) as FieldDeclaration;
  expect(fieldType(declaration).jsonSchema(declaration)).toEqual({
    type: "array",
    minItems: 1,
    maxItems: 100,
    items: {
      type: "object",
      required: ["name"],
      additionalProperties: false,
      properties: {
        name: { type: "string", maxLength: 20 },
        amount: { anyOf: [{ type: "number", minimum: 0, maximum: 1_000_000_000_000 }, { enum: [null, ""] }] },
        tone: { anyOf: [{ type: "string", enum: ["plain", "loud"] }, { enum: [null, ""] }] },
        note: { anyOf: [{ type: "string", maxLength: 300 }, { enum: [null, ""] }] },
      },
    },
  });
});

test.each([
  ["no item fields", { item: {} }],
  ["a language in its items", { item: { tongue: { type: "language", label: "Language" } } }],
  ["a list in its items", { item: { inner: ROWS } }],
  ["a word of lists as the name of an item field", { item: { size: ROWS.item.note } }],
  ["a least number above the most", { min: 4 }],
])("a declaration with %s is refused", (_, declared) => {
  expect(fieldDeclaration.safeParse({ ...ROWS, ...declared }).success).toBe(false);
});
