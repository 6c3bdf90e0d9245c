import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { documentWarnings } from "#lib/templates/warnings.ts";
import { compileCard } from "../card.ts";
import { manifestWith } from "../template-folder.ts";

const NOTES = 20;

/** A template whose body takes two steps for each loop, and shows no note. */
const files = (loops: number) => ({
  "template.json": manifestWith({
    rows: {
      type: "list",
      label: "Rows",
      max: NOTES,
      overflow: "drop",
      item: { note: { type: "text", label: "Note" } },
    },
  }),
  "content.json": JSON.stringify({ plain: {} }),
  "template.html": `<p>{% for i in (1..${loops}) %}{% assign x = i | plus: 1 %}{% endfor %}{% for row in rows %}{% if row.note == "?" %}<i>{{ row.note }}</i>{% endif %}{% endfor %}</p>`,
});

/** How many notes are found without effect, and how many turns of the event loop others get meanwhile. */
async function search(loops: number): Promise<{ steps: number; found: number; turns: number }> {
  const template = await compileCard(files(loops));
  const rows = Array.from({ length: NOTES }, (_, index) => ({ note: `note ${index}` }));
  const { values } = await readFields({ declarations: template.fields, values: { rows }, path: "/data" });
  const document = composeDocument(template, values);
  let turns = 0;
  let isOver = false;
  const others = async () => {
    for (; !isOver; turns++) await nextTurn();
  };
  const waiting = others();
  const warnings = await documentWarnings({ template, base: {}, values, document });
  isOver = true;
  await waiting;
  return { steps: document.steps, found: warnings.filter(({ code }) => code === "field_ignored").length, turns };
}

test("every value is compared where a body is small, and others get a turn between two", async () => {
  const { found, turns } = await search(10);
  expect(found).toBe(NOTES);
  expect(turns).toBeGreaterThanOrEqual(NOTES);
});

test("values whose comparison would take long count as effective", async () => {
  const { steps, found } = await search(1_500);
  expect(found).toBe(Math.floor(40_000 / steps) - 1);
  expect(found).toBeLessThan(NOTES / 1.5);
});

test("a search ends when its picture is no longer wanted", async () => {
  const template = await compileCard(files(10));
  const { values } = await readFields({
    declarations: template.fields,
    values: { rows: [{ note: "note" }] },
    path: "/data",
  });
  const composed = { template, base: {}, values, document: composeDocument(template, values) };
  const gone = new Error("gone");
  await expect(documentWarnings(composed, AbortSignal.abort(gone))).rejects.toBe(gone);
});

test("a drawing counts as many steps", async () => {
  const template = await compileCard({
    "template.json": manifestWith({ figures: { type: "series", label: "Figures" } }),
    "content.json": JSON.stringify({ plain: {} }),
    "template.html": "{{ figures | line_chart: width: 900, height: 300 }}",
  });
  const stepsOf = (figures: number[]) => composeDocument(template, { figures: seriesOf(figures) }).steps;
  const seriesOf = (values: number[]) => ({ labels: values.map(String), series: [{ name: "", values }] });
  expect(stepsOf(Array.from({ length: 60 }, (_, index) => index % 7))).toBeGreaterThan(stepsOf([1, 2]) + 50);
});

test("a body that writes amounts in many currencies counts as more steps, because a format takes long to make", async () => {
  const template = await compileCard({
    "template.json": manifestWith({
      rows: { type: "list", label: "Rows", max: 100, item: { price: { type: "money", label: "Price" } } },
    }),
    "content.json": JSON.stringify({ plain: {} }),
    "template.html": "{% for row in rows %}<p>{{ row.price }}</p>{% endfor %}",
  });
  const stepsOf = async (currencies: string[]) => {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      price: { amount: 1, currency: currencies[index % currencies.length] },
    }));
    const { values } = await readFields({ declarations: template.fields, values: { rows }, path: "/data" });
    return composeDocument(template, values).steps;
  };
  const few = await stepsOf(["EUR", "USD"]);
  expect(few).toBeLessThan(1_000);
  const formats = (await stepsOf(Intl.supportedValuesOf("currency").slice(0, 100))) - few;
  // The names of some currencies are a little longer.
  expect(formats).toBeGreaterThanOrEqual(80 * 60);
  expect(formats).toBeLessThan(81 * 60);
});

test("long texts, and parts of them that are set off, count as steps", async () => {
  const template = await compileCard({
    "template.json": manifestWith({ note: { type: "emphasis", label: "Note", maxLength: 5000 } }),
    "content.json": JSON.stringify({ plain: {} }),
    "template.html": "<p>{{ note }}</p>",
  });
  const stepsOf = (note: string) => composeDocument(template, { note }).steps;
  const few = stepsOf("a");
  expect(stepsOf("a ".repeat(2_000))).toBe(few + 4_000 / 50 - 1);
  expect(stepsOf("*a* ".repeat(1_000))).toBe(few + 2_000 / 50 + 1_000 / 2 - 1);
});

test("markup that is written again and again counts as steps, such as a logo in each item", async () => {
  const stepsOf = async (logoChars: number) => {
    const template = await compileCard({
      "template.json": manifestWith({ note: { type: "text", label: "Note" } }),
      "content.json": JSON.stringify({ plain: {} }),
      "template.html": `<p>{% for i in (1..100) %}<i title="${"x".repeat(logoChars)}"></i>{% endfor %}{{ note }}</p>`,
    });
    return composeDocument(template, { note: "a" }).steps;
  };
  const few = await stepsOf(0);
  expect(await stepsOf(10_000)).toBeGreaterThanOrEqual(few + 1_000);
});
