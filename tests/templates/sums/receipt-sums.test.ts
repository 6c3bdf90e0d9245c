import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { faultsOf } from "../faults/faults-of.ts";
import { manifestWith, TITLE } from "../template-folder.ts";
import { shippedTemplate } from "./shipped-template.ts";

const template = await shippedTemplate("commerce/receipt");

type Item = { quantity?: number; amount: number; currency?: string };

const money = (amount: number, currency: string) => ({ amount, currency });

/** The French receipt, which has a tax in euros, with other items: its faults, or its amounts and the total. */
async function receipt(items: Item[], data: Record<string, unknown> = {}) {
  const lines = items.map(({ quantity, amount, currency = "EUR" }) => ({
    name: "Item",
    each: money(amount, currency),
    ...(quantity !== undefined && { quantity }),
  }));
  const { values, issues } = await readFields({
    declarations: template.fields,
    values: { items: lines, extras: null, language: "en", ...data },
    base: template.variants.nacre?.values ?? {},
    path: "/data",
  });
  if (issues.length > 0) return { issues };
  const { html } = composeDocument(template, values);
  const textsOf = (pattern: RegExp) =>
    [...html.matchAll(pattern)].map(([, text = ""]) => text.replaceAll(/<[^>]+>|[\u2066-\u2069]/g, "").trim());
  return { amounts: textsOf(/<p class="amount">(.*?)<\/p>/gs), total: textsOf(/<p class="sum">(.*?)<\/p>/gs) };
}

const spaced = (texts: string[] | undefined) => texts?.map((text) => text.replaceAll(/\s/g, " "));

test("amounts are rounded to the coin of their currency, and their sum is the total", async () => {
  const euros = [
    { quantity: 0.335, amount: 3 },
    { quantity: 3, amount: 0.1 },
    { amount: -0.5 },
    { quantity: 0, amount: -4 },
    { quantity: 0.145, amount: 1 },
  ];
  expect(await receipt(euros)).toEqual({ amounts: ["€1.01", "€0.30", "−€0.50", "€0.00", "€0.15"], total: ["€0.96"] });
  const dinars = [
    { amount: 1.125, currency: "KWD" },
    { quantity: 0.5, amount: 0.25, currency: "KWD" },
  ];
  const exact = await receipt(dinars, { tax: null });
  expect([spaced(exact.amounts), spaced(exact.total)]).toEqual([["KWD 1.125", "KWD 0.125"], ["KWD 1.250"]]);
  // Each line is rounded, so that those of the picture add up.
  const rupiahs = [
    { quantity: 0.5, amount: 1001, currency: "IDR" },
    { quantity: 0.5, amount: 1001, currency: "IDR" },
  ];
  const whole = await receipt(rupiahs, { tax: null });
  expect([spaced(whole.amounts), spaced(whole.total)]).toEqual([["IDR 501", "IDR 501"], ["IDR 1,002"]]);
  expect(await receipt([{ amount: 500, currency: "JPY" }], { tax: null })).toEqual({
    amounts: ["¥500"],
    total: ["¥500"],
  });
});

test("an air conditioner in dong is no more than a receipt takes", async () => {
  const bought = await receipt([{ quantity: 3, amount: 12_490_000, currency: "VND" }], {
    extras: [{ label: "Discount", amount: money(-1_500_000, "VND") }],
    tax: null,
  });
  expect(bought).toEqual({ amounts: ["₫37,470,000", "−₫1,500,000"], total: ["₫35,970,000"] });
});

test.each([
  ["commerce/product", { price: money(1_249_000_000, "VND"), oldPrice: null }],
  ["food/menu", { dishes: [{ name: "Kebab", price: money(18_500_000, "IRR") }] }],
  [
    "commerce/receipt",
    { items: [{ name: "Flyers", quantity: 2_500, each: money(1, "EUR") }], extras: null, tax: null },
  ],
  ["data/wrapped", { best: [{ name: "March", value: 12_500_000 }] }],
  ["data/ranking", { rows: [{ name: "India", value: 1_463_865_525 }] }],
])("%s takes numbers that are ordinary elsewhere", async (slug, values) => {
  const { fields, variants, defaultVariant } = await shippedTemplate(slug);
  const base = variants[defaultVariant]?.values ?? {};
  const { issues } = await readFields({ declarations: fields, values, base, path: "/data" });
  expect(issues).toEqual([]);
});

test("quantities and the rate of the tax have all of their digits", async () => {
  const { values } = await readFields({
    declarations: template.fields,
    values: {
      items: [
        { name: "Oil", quantity: 1.2345, unit: "l", each: money(8, "EUR") },
        { name: "Eggs", quantity: 12, each: money(0.3, "EUR") },
      ],
      taxRate: 0.055,
      language: "en",
    },
    base: template.variants.nacre?.values ?? {},
    path: "/data",
  });
  const { html } = composeDocument(template, values);
  const text = html.replaceAll(/<[^>]+>|[\u2066-\u2069]/g, "");
  expect(text).toContain("1.2345 l × €8.00");
  expect(text).toContain("12 × €0.30");
  expect(text).toContain("5.5%");
});

test("amounts in several currencies are refused, because they are added up", async () => {
  const mixed = await receipt([{ amount: 5 }, { amount: 5, currency: "GBP" }], {
    extras: [{ label: "Tip", amount: money(1, "USD") }],
    tax: money(1, "GBP"),
  });
  expect(mixed).toEqual({
    issues: [
      ["/data/items/1/each/currency", "GBP"],
      ["/data/extras/0/amount/currency", "USD"],
      ["/data/tax/currency", "GBP"],
    ].map(([path, currency]) => ({
      path,
      code: "invalid_currency",
      message: `Got "${currency}" where "items[0].each" has "EUR", want the same currency.`,
    })),
  });
});

test("an amount of the variant in another currency must be sent too, or left out", async () => {
  const pounds = [{ amount: 5, currency: "GBP" }];
  const why = "want the same currency. Send that one too, or null where it is to be left out.";
  expect(await receipt(pounds)).toEqual({
    issues: [
      {
        path: "/data/items/0/each/currency",
        code: "invalid_currency",
        message: `Got "GBP" where "tax" of the variant has "EUR", ${why}`,
      },
    ],
  });
  expect(await receipt(pounds, { tax: null })).toEqual({ amounts: ["£5.00"], total: ["£5.00"] });
  expect(await receipt(pounds, { tax: money(1, "GBP") })).toEqual({ amounts: ["£5.00"], total: ["£5.00"] });
});

test("defaults in several currencies are a fault of the template", async () => {
  const price = (currency: string) => ({
    type: "money",
    label: currency,
    sameCurrency: true,
    default: money(1, currency),
  });
  const files = { "template.json": manifestWith({ title: TITLE, eur: price("EUR"), usd: price("USD") }) };
  expect(await faultsOf({ ...files, "template.html": "<h1>{{ title }} {{ eur }} {{ usd }}</h1>" })).toEqual([
    expect.stringContaining('fields.usd.default.currency: Got "USD" where "eur" of the variant has "EUR"'),
  ]);
});
