import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { shippedTemplate } from "./shipped-template.ts";

const template = await shippedTemplate("document/invoice");

type Item = { quantity: number; amount: number; currency?: string; tax?: number };

function itemsOf(items: Item[]) {
  return items.map(({ quantity, amount, currency = "EUR", tax }) => ({
    name: "Item",
    quantity,
    price: { amount, currency },
    tax: tax ?? null,
  }));
}

/** The English invoice with other items: its faults, or what it says is owed and the last numbers of its totals. */
async function invoice(items: Item[], data: Record<string, unknown> = {}) {
  const { values, issues } = await readFields({
    declarations: template.fields,
    values: { items: itemsOf(items), ...data },
    base: template.variants.studio?.values ?? {},
    path: "/data",
  });
  if (issues.length > 0) return { issues: issues.map(({ code, path }) => `${code} ${path}`) };
  const { html } = composeDocument(template, values);
  const [body = "", totals = ""] = html.split('<dl class="totals">');
  const textsOf = (part: string, pattern: RegExp) =>
    [...part.matchAll(pattern)].map(([, text = ""]) => text.replaceAll(/<[^>]+>|[\u2066-\u2069]/g, "").trim());
  return {
    owed: textsOf(body, /<p class="sum"[^>]*>(.*?)<\/p>/gs),
    amounts: textsOf(body, /<p class="amount">(.*?)<\/p>/gs),
    quantities: textsOf(body, /<p class="quantity">(.*?)<\/p>/gs),
    rates: textsOf(totals, /<dd class="rate">(.*?)<\/dd>/gs),
    totals: textsOf(totals, /<dd>(.*?)<\/dd><\/div>/gs).slice(-3),
  };
}

test("each amount is rounded to the coin, and the tax of each rate is that of their sum", async () => {
  const items = [
    { quantity: 0.5, amount: 0.25, tax: 0.19 },
    { quantity: 3, amount: 1.1, tax: 0.19 },
    { quantity: 2, amount: 10, tax: 0.07 },
  ];
  expect(await invoice(items)).toMatchObject({
    owed: ["€25.48"],
    amounts: ["0.13", "3.30", "20.00"],
    totals: ["0.65", "1.40", "€25.48"],
  });
});

test("coins are those of the currency", async () => {
  const yen = [{ quantity: 1.5, amount: 333, currency: "JPY", tax: 0.1 }];
  expect(await invoice(yen)).toMatchObject({ owed: ["¥550"], amounts: ["500"] });
  const dinars = [{ quantity: 3, amount: 0.333, currency: "KWD" }];
  expect((await invoice(dinars)).owed?.map((text) => text.replaceAll(/\s/g, " "))).toEqual(["KWD 0.999"]);
});

test("lines add up in currencies whose coins are no longer used", async () => {
  const forints = [
    { quantity: 0.5, amount: 1001, currency: "HUF", tax: 0.27 },
    { quantity: 0.5, amount: 1001, currency: "HUF", tax: 0.05 },
  ];
  // 501 + 501 + 135 + 25
  expect(await invoice(forints)).toMatchObject({ amounts: ["501", "501"], totals: ["135", "25", "HUF\u00a01,162"] });
});

test("halves are rounded up also where doubles are a little less", async () => {
  const items = [
    { quantity: 0.145, amount: 1, tax: 0.29 },
    { quantity: 1, amount: 0.35, tax: 0.29 },
  ];
  // 0.145 × 100 and 50 × 0.29
  expect(await invoice(items)).toMatchObject({ amounts: ["0.15", "0.35"], totals: ["0.50", "0.15", "€0.65"] });
});

test("quantities and tax rates have all of their digits, so that the lines can be checked", async () => {
  const items = [
    { quantity: 1.2345, amount: 10_000, tax: 0.08875 },
    { quantity: 0.0004, amount: 1_000, tax: 0.055 },
    { quantity: 3, amount: 5, tax: 0.2 },
    { quantity: -1234.5, amount: 1, tax: 0.07 },
  ];
  expect(await invoice(items)).toMatchObject({
    quantities: ["1.2345", "0.0004", "3", "-1,234.5"],
    rates: ["8.875%", "5.5%", "20%", "7%"],
  });
});

test("prices in currencies of small worth are added up to the coin", async () => {
  const rials = [
    { quantity: 1, amount: 4_850_000_000, currency: "IRR", tax: 0.1 },
    { quantity: 6, amount: 950_000_000, currency: "IRR", tax: 0.1 },
  ];
  expect((await invoice(rials)).amounts).toEqual(["4,850,000,000", "5,700,000,000"]);
  expect(await invoice([{ quantity: 3, amount: 9_999_999_999.99 }])).toMatchObject({ owed: ["€29,999,999,999.97"] });
});

test("nothing is minus zero", async () => {
  const items = [{ quantity: -0.001, amount: 0.01, tax: 0.2 }];
  expect(await invoice(items)).toMatchObject({ amounts: ["0.00"], totals: ["0.00", "0.00", "€0.00"] });
});

test("prices in several currencies are refused, and a sum may be in another one", async () => {
  const items = [
    { quantity: 1, amount: 5 },
    { quantity: 1, amount: 5, currency: "GBP" },
  ];
  expect(await invoice(items)).toEqual({ issues: ["invalid_currency /data/items/1/price/currency"] });
  const sum = { amount: 11, currency: "USD" };
  expect(await invoice(items.slice(0, 1), { sum })).toMatchObject({ owed: ["$11.00"], amounts: ["5.00"] });
});

test("an invoice with more items than its page has room for is refused", async () => {
  const items = Array.from({ length: 13 }, () => ({ quantity: 1, amount: 1 }));
  expect(await invoice(items)).toEqual({ issues: ["too_many /data/items"] });
});
