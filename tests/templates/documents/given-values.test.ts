import { afterAll, beforeAll, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import type { Template } from "#lib/templates/template.ts";
import { documentWarnings } from "#lib/templates/warnings.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";
import { shippedTemplate } from "../sums/shipped-template.ts";
import { manifestWith, TITLE } from "../template-folder.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

/** The fields of a shipped template that its picture does not show, as the warnings name them. */
async function ignoredOf(slug: string, variant: string, data: Record<string, unknown>) {
  const template = await shippedTemplate(slug);
  const base = template.variants[variant]?.values ?? {};
  const { values, issues } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  expect(issues).toEqual([]);
  const document = composeDocument(template, values);
  const warnings = await documentWarnings({ template, base, values, given: data, document });
  return warnings.filter(({ code }) => code === "field_ignored").map(({ path }) => path);
}

const item = (amount: number, currency = "EUR") => ({ name: "Item", quantity: 2, price: { amount, currency } });

test.each([
  ["a price of one euro", "document/invoice", "studio", { items: [item(1)] }],
  [
    "a price of one in the currency of the first item",
    "document/invoice",
    "studio",
    { items: [item(5, "JPY"), item(1, "JPY")] },
  ],
  ["the first of May 2026", "document/invoice", "studio", { issued: "2026-05-01" }],
  ["the second of November 2027", "document/invoice", "studio", { issued: "2027-11-02" }],
  ["one and a half stars in German", "review/card", "seerose", { rating: 1.5 }],
  ["no stars", "review/card", "seerose", { rating: 0 }],
  ["all stars", "review/card", "soba", { rating: 4 }],
])("%s is shown, and no warning says otherwise", async (_, slug, variant, data) => {
  expect(await ignoredOf(slug, variant, data)).toEqual([]);
});

test("words of the template that follow the language are not told as ignored, and those of the request are", async () => {
  expect(await ignoredOf("commerce/receipt", "market", { language: "de" })).toEqual([]);
  expect(await ignoredOf("commerce/receipt", "market", { language: "de", taxLabel: "MwSt." })).toEqual([
    "/data/taxLabel",
  ]);
});

async function ignoredInPicture(template: Template, variant: string, data: Record<string, unknown>) {
  const { warnings } = await drawTemplate({ template, variant, data }, { timings: {} });
  return warnings.filter(({ code }) => code === "field_ignored").map(({ path }) => path);
}

test("also when the picture is drawn", async () => {
  expect(await ignoredInPicture(await shippedTemplate("commerce/receipt"), "market", { language: "de" })).toEqual([]);
});

/** A card with a French title and a word of its own that follows the language. */
async function warningsAboutWord(style: string, data: Record<string, unknown>): Promise<string[]> {
  const template = await compileCard({
    "template.json": manifestWith({
      title: TITLE,
      word: {
        type: "text",
        label: "Word",
        default: "min",
        translations: { fr: "minutes de lecture" },
        fit: { mode: "shrink", minSize: 12, maxLines: 1 },
      },
    }),
    "template.html": '<h1>{{ title }}</h1><p data-fit="word">{{ word }}</p>',
    "style.css": `p { ${style} }\n`,
    "content.json": JSON.stringify({ plain: { title: "Give this seven minutes", word: "min" } }),
  });
  const sent = { title: "Une histoire de la lumière et de la mer", ...data };
  const { warnings } = await drawTemplate({ template, variant: "plain", data: sent }, { timings: {} });
  return warnings.map(({ code, path }) => `${code} ${path}`);
}

test.each([
  { what: "the style sheet hides", style: "display: none", code: "field_ignored" },
  { what: "is made smaller", style: "width: 200px; font-size: 40px", code: "text_shrunk" },
])("a word that $what is told only where the request has sent it", async ({ style, code }) => {
  expect(await warningsAboutWord(style, {})).toEqual([]);
  expect(await warningsAboutWord(style, { word: "minutes de lecture" })).toEqual([`${code} /data/word`]);
});
