import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { getRegistry } from "#lib/templates/registry.ts";

const { templates } = await getRegistry();

async function htmlOf(slug: string, data: Record<string, unknown>): Promise<string> {
  const template = templates.find((one) => one.slug === slug);
  if (!template) throw new Error(`There is no template "${slug}".`);
  const base = template.variants[template.defaultVariant]?.values ?? {};
  const { values } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  return composeDocument(template, values).html;
}

// Pieces of their own are isolated from each other: from right to left, they would read 000,415.
test.each([
  ["commerce/coupon", "offer", { percent: null, amount: { amount: 415_000.5, currency: "EGP" } }],
  ["commerce/product", "name", { price: { amount: 415_000.5, currency: "EGP" } }],
  ["place/listing", "title", { price: { amount: 415_000.5, currency: "EGP" } }],
])("in Arabic, %s shows an amount with its thousands and cents in one piece", async (slug, lead, data) => {
  const html = await htmlOf(slug, { ...data, [lead]: "شقّة بغرفتين على الميناء القديم", language: "ar" });
  expect(html).toContain("415,000.50");
});

test.each([
  ["commerce/coupon", "offer", { percent: null, amount: { amount: 415, currency: "EUR" } }],
  ["commerce/product", "name", { price: { amount: 415, currency: "EUR" } }],
  ["place/listing", "title", { price: { amount: 415, currency: "EUR" } }],
])(
  "in Persian and Urdu, %s shows an amount with its sign in one piece, which keeps it on the left",
  async (slug, lead, data) => {
    const written = [
      ["fa", "€۴۱۵"],
      ["ur", "€415"],
    ];
    for (const [language, amount] of written)
      expect(await htmlOf(slug, { ...data, [lead]: "خانه", language })).toContain(amount);
  },
);

test.each([
  ["Hebrew", { language: "he", offer: "שטיחי צמר מההר" }, "40%"],
  ["Arabic", { language: "ar", offer: "سجّاد صوفي" }, "40\u200e%\u200e"],
  ["Arabic digits", { language: "ar-EG", offer: "سجّاد صوفي" }, "٤٠٪\u061c"],
])("in %s, a percentage keeps its sign and its marks", async (_, data, percentage) => {
  expect(await htmlOf("commerce/sale", data)).toContain(`>${percentage}</text-run></span></p>`);
});

test("from left to right, the pieces of a number are elements of their own", async () => {
  const html = await htmlOf("commerce/sale", { offer: "Tapis de laine", language: "fr" });
  expect(html).toContain('<span class="integer">40</span>');
});
