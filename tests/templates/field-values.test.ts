import { expect, test } from "vitest";
import { readFields } from "#lib/templates/field-values.ts";
import { type FieldDeclaration, fieldDeclaration } from "#lib/templates/fields/field-types.ts";

function declare(fields: Record<string, Record<string, unknown>>): Record<string, FieldDeclaration> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldDeclaration.parse({ label: name, ...field })]),
  );
}

async function readOne(field: Record<string, unknown>, value: unknown) {
  const { values, issues } = await readFields({
    declarations: declare({ field }),
    values: { field: value },
    path: "/data",
  });
  return issues.length > 0 ? issues[0]?.code : values.field;
}

test.each([
  ["an edit that leaves the leading text", { seat: "18" }, "en"],
  ["a leading text in another language", { title: "Ночь музыки" }, "ru"],
  ["a leading text whose words tell no language", { title: "Aida" }, "en"],
  ["a short leading text in other letters", { title: "قمر" }, "ar"],
  ["a leading text with a Latin name", { title: "مؤتمر Platen 2026" }, "ar"],
  ["a stated language", { title: "Ночь музыки", language: "de" }, "de"],
  ["an emptied language", { title: "Ночь музыки", language: "" }, null],
])("%s decides what becomes of the variant's language", async (_, values, language) => {
  const declarations = declare({
    title: { type: "text", required: true },
    seat: { type: "text" },
    language: { type: "language" },
  });
  const base = { title: "A night of music", seat: "17", language: "en" };
  const read = await readFields({ declarations, values, base, path: "/data" });
  expect(read.values.language).toBe(language);
});

test("an override of the text direction is removed with a warning", async () => {
  const declarations = declare({ title: { type: "text" }, author: { type: "text" } });
  const values = { title: "a\u202eb", author: "x \u2067\u05d0\u2069" };
  const read = await readFields({ declarations, values, path: "/data" });
  expect(read.values).toEqual({ title: "ab", author: values.author });
  expect(read.warnings.map(({ path, code }) => `${code} ${path}`)).toEqual(["bidi_changed /data/title"]);
});

const text = { type: "text", maxLength: 5 };

test.each([
  [text, "hello", "hello"],
  [text, "👩‍🚀👍", "👩‍🚀👍"],
  [text, "  hi ", "hi"],
  [text, "cafe\u0301", "café"],
  [text, "hello!", "too_long"],
  [text, "x".repeat(12_000_000), "too_long"],
  [text, "\u0301".repeat(1_000_000), "too_long"],
  [text, "a\u0007b", "invalid_text"],
  [{ type: "text" }, `a${"\u0301".repeat(31)}`, `\u00e1${"\u0301".repeat(30)}`],
  [{ type: "text" }, `a${"\u0301".repeat(32)}`, "invalid_text"],
  [{ type: "text" }, `a${"\u0e34\u200d".repeat(31)}`, "invalid_text"],
  [{ type: "emphasis" }, `**a${"\u0301".repeat(50)}**`, "invalid_text"],
  [{ type: "text", required: true }, "\u200b\u00ad \u{e0041}", "required"],
  [{ type: "text", required: true }, "\u202e\u2800", "required"],
  [text, "a\nb", "invalid_text"],
  [{ ...text, multiline: true }, "a\r\nb", "a\nb"],
  [{ ...text, multiline: true }, "a\u2028b\u2029c", "a\nb\nc"],
  [text, 5, "invalid_type"],
  [text, ["a"], "invalid_type"],
  [{ type: "number", min: 1, max: 9 }, 4.5, 4.5],
  [{ type: "number", min: 1, max: 9 }, 0, "out_of_range"],
  [{ type: "number", integer: true }, 4.5, "out_of_range"],
  [{ type: "number" }, "4", "invalid_type"],
  [{ type: "number" }, Number.POSITIVE_INFINITY, "invalid_type"],
  [{ type: "boolean" }, false, false],
  [{ type: "boolean" }, "true", "invalid_type"],
  [{ type: "select", options: ["left", "right"] }, "left", "left"],
  [{ type: "select", options: ["left", "right"] }, "toString", "invalid_option"],
  [{ type: "color" }, "#1D4ED8", "#1d4ed8"],
  [{ type: "color" }, "#fff8", "#fff8"],
  [{ type: "color" }, "blu", "invalid_color"],
  [{ type: "color" }, "red;background:url(//x)", "invalid_color"],
  [{ type: "color" }, "}*{color:red", "invalid_color"],
  [{ type: "color" }, "\\75rl(//x)", "invalid_color"],
  [{ type: "color" }, "</style><b>", "invalid_color"],
  [{ type: "color" }, "#fff\n", "invalid_color"],
  [{ type: "date" }, "2028-02-29", "2028-02-29T00:00:00Z"],
  [{ type: "date" }, "2027-02-29", "invalid_date"],
  [{ type: "date" }, "0000-01-01", "invalid_date"],
  [{ type: "date" }, "0001-01-01", "0001-01-01T00:00:00Z"],
  [{ type: "date", time: true, zone: "America/New_York" }, "0001-01-01T00:00Z", "invalid_date"],
  [{ type: "date", time: true, zone: "Europe/Berlin" }, "9999-12-31T23:59Z", "invalid_date"],
  [{ type: "date" }, "2026-05-01T19:30", "invalid_date"],
  [{ type: "date", time: true }, "2026-05-01T19:30", "2026-05-01T19:30:00Z"],
  [{ type: "date", time: true }, "2026-05-01T24:30", "invalid_date"],
  [{ type: "language" }, "pt-br", "pt-BR"],
  [{ type: "language" }, "zh-hant", "zh-Hant"],
  [{ type: "language" }, "", null],
  [{ type: "language" }, "no", "nb"],
  [{ type: "language" }, "NO-no", "nb-NO"],
  [{ type: "language" }, "nn", "nn"],
  [{ type: "language" }, "english", "invalid_language"],
  [{ type: "language" }, "qq", "invalid_language"],
  [{ type: "language" }, "de-x-private", "invalid_language"],
  [{ type: "language" }, 5, "invalid_type"],
  [{ type: "qr" }, 5, "invalid_type"],
  [{ type: "qr", maxLength: 5 }, "hello!", "too_long"],
  [{ type: "qr" }, "x".repeat(12_000_000), "too_long"],
  [{ type: "qr" }, "half a \ud83d", "invalid_text"],
  [{ type: "qr" }, "", null],
])("%j reads %.20j as %j", async (field, value, wanted) => {
  expect(await readOne(field, value)).toEqual(wanted);
});

test("all faults are reported at once, each with a JSON Pointer", async () => {
  const declarations = declare({
    title: { ...text, required: true },
    accent: { type: "color" },
    "rows/a": { type: "number" },
  });
  const { issues } = await readFields({
    declarations,
    values: { titel: "x", title: "", accent: "blu", "rows/a": "1" },
    path: "/data",
  });
  expect(issues).toEqual([
    { path: "/data/titel", code: "unknown_field", message: 'Unknown field "titel". Did you mean "title"?' },
    { path: "/data/title", code: "required", message: 'Got nothing, want a value for "title".' },
    { path: "/data/accent", code: "invalid_color", message: 'Got "blu", want a hex colour such as #1d4ed8.' },
    {
      path: "/data/rows~1a",
      code: "invalid_type",
      message: 'Got "1", want a number from -1000000000000 to 1000000000000.',
    },
  ]);
});

test("an edit replaces the value of the variant, an empty edit removes it, and other values stay", async () => {
  const declarations = declare({ a: text, b: text, c: text, d: text });
  const base = { a: "one", b: "two", c: "three", d: "four" };
  const { values } = await readFields({ declarations, values: { b: "2", c: "", d: null }, base, path: "" });
  expect(values).toEqual({ a: "one", b: "2", c: null, d: null });
});

test("a declared default is used where the variant has no value", async () => {
  const { values } = await readFields({
    declarations: declare({ a: { ...text, default: "x" }, b: text }),
    values: {},
    path: "",
  });
  expect(values).toEqual({ a: "x", b: null });
});

test("a content field that is emptied stays empty, whatever its default", async () => {
  const declarations = declare({ a: { ...text, default: "x" }, b: { ...text, default: "x" } });
  const { values } = await readFields({ declarations, values: { a: "", b: " \n" }, path: "" });
  expect(values).toEqual({ a: null, b: null });
});

test("a field named as a property of Object's prototype is empty where no value is given", async () => {
  const { values, issues } = await readFields({ declarations: declare({ toString: text }), values: {}, path: "" });
  expect([values, issues]).toEqual([{ toString: null }, []]);
});

test("thousands of unknown fields with long names get a short answer", async () => {
  const values = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`${index}${"x".repeat(1_000)}`, "y"]));
  const { issues } = await readFields({ declarations: declare({ a: text }), values, path: "/data" });
  expect(issues).toHaveLength(100);
  expect(JSON.stringify(issues).length).toBeLessThan(30_000);
});

test("a name of Object's prototype is an unknown field", async () => {
  const { issues } = await readFields({ declarations: declare({ a: text }), values: { toString: "x" }, path: "" });
  expect(issues.map((issue) => issue.code)).toEqual(["unknown_field"]);
});

test("an emptied colour, number, choice or boolean gets its default", async () => {
  const declarations = declare({
    color: { type: "color", default: "#112233" },
    number: { type: "number", default: 4 },
    choice: { type: "select", options: ["left", "right"], default: "right" },
    flag: { type: "boolean", default: true },
    plain: { type: "color" },
  });
  const values = { color: "", number: null, choice: "", flag: null, plain: "" };
  const read = await readFields({ declarations, values, base: { ...values, color: "#ffffff" }, path: "" });
  expect(read.values).toEqual({ color: "#112233", number: 4, choice: "right", flag: true, plain: null });
});
