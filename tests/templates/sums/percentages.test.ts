import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { shippedTemplate } from "./shipped-template.ts";

/** The texts of the elements that match, in the picture of a template's default variant with these edits. */
async function textsOf(slug: string, { data, element }: { data: Record<string, unknown>; element: RegExp }) {
  const template = await shippedTemplate(slug);
  const base = template.variants[template.defaultVariant]?.values ?? {};
  const { values, issues } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  expect(issues).toEqual([]);
  const { html } = composeDocument(template, values);
  return [...html.matchAll(element)].map(([, text = ""]) =>
    text
      .replaceAll(/<[^>]+>|[\u2066-\u2069]/g, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

const FIGURE = /<p class="figure"[^>]*>(.*?)<\/p>/gs;

test.each([
  ["commerce/coupon", 0.125, "12.5%"],
  ["commerce/coupon", 0.004, "0.4%"],
  ["commerce/sale", 0.125, "12.5%"],
  ["commerce/sale", 0.996, "99.6%"],
  ["commerce/sale", 0.3, "30%"],
])("%s says of %d what is saved, not what it is rounded to", async (slug, percent, written) => {
  const [first] = await textsOf(slug, { data: { percent }, element: FIGURE });
  expect(first).toBe(written);
});

test("a sale has room for the digits of its percentage", async () => {
  const template = await shippedTemplate("commerce/sale");
  const digitsOf = async (percent: number) => {
    const base = template.variants.contor?.values ?? {};
    const read = await readFields({ declarations: template.fields, values: { percent }, base, path: "/data" });
    return /--digits: ([\d.]+)/.exec(composeDocument(template, read.values).html)?.[1];
  };
  expect(await Promise.all([0.05, 0.5, 1, 0.055, 0.125, 0.1234].map(digitsOf))).toEqual(["1", "2", "3", "3", "4", "5"]);
});

test.each([
  [10, 9.99, ["€10"]],
  [1_000, 3, ["€1,000 −99%"]],
  [1_000, 0, ["€1,000 −100%"]],
  [10, 8, ["€10 −20%"]],
  [10, 10, []],
])("of %d, now %d, a product says no saving of 0 %% or of all that it costs", async (before, now, written) => {
  const price = (amount: number) => ({ amount, currency: "EUR" });
  const data = { price: price(now), oldPrice: price(before) };
  expect(await textsOf("commerce/product", { data, element: /<p class="before">(.*?)<\/p>/gs })).toEqual(written);
});

test("the uptime of 57 % is 57.00 %, also where doubles are a little less", async () => {
  const components = [
    { name: "Exact", days: [1, 0.57] },
    { name: "Less", days: [0.999_99] },
  ];
  const written = await textsOf("dev/status", { data: { components }, element: /<b>([^<]*)<\/b>/g });
  // The mean of 1 and 0.57. Less than all is not 100 %.
  expect(written).toEqual(["78.50%", "99.99%"]);
});

test("a service has no uptime of its own where components are left out", async () => {
  const component = (name: string, day: number) => ({ name, days: [day] });
  const four = ["A", "B", "C", "D"].map((name) => component(name, 1));
  const figureOf = (components: unknown[]) =>
    textsOf("dev/status", { data: { layout: "figure", components }, element: FIGURE });
  expect(await figureOf(four)).toEqual(["100.00%"]);
  expect(await figureOf([...four, component("E", 0)])).toEqual([]);
});

test("the days of a component that has fewer are the last ones, under the same dates", async () => {
  const template = await shippedTemplate("dev/status");
  const components = [
    { name: "Ten", days: Array.from({ length: 10 }, () => 1) },
    { name: "Two", days: [1, 1] },
    { name: "None", days: [null] },
  ];
  const base = template.variants.ferry?.values ?? {};
  const { values } = await readFields({ declarations: template.fields, values: { components }, base, path: "/data" });
  const { html } = composeDocument(template, values);
  const marks = [...html.matchAll(/<path class="calm" d="([^"]*)"/g)].map(([, path = ""]) =>
    [...path.matchAll(/M([\d.]+)/g)].map(([, x]) => Number(x)),
  );
  expect(marks[1]).toEqual(marks[0]?.slice(-2));
  expect(marks[2]).toEqual([]);
});

test.each([
  ["nasij", { percent: 0.355 }, true],
  ["gran", { percent: 0.125 }, true],
  ["gran", { percent: 0.3 }, false],
  ["contor", { percent: 0.125 }, false],
])("a sale leaves room below a comma, which would touch the next figure: %s %j", async (variant, data, isHanging) => {
  const template = await shippedTemplate("commerce/sale");
  const base = template.variants[variant]?.values ?? {};
  const { values } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
  expect(/<main class="[^"]*\bis-hanging\b/.test(composeDocument(template, values).html)).toBe(isHanging);
});

test("the figures of a sale that stand on their side end before the margin", async () => {
  const template = await shippedTemplate("commerce/sale");
  const base = template.variants.contor?.values ?? {};
  for (let hundredths = 1; hundredths <= 100; hundredths += 1) {
    const data = { percent: hundredths / 100 };
    const { values } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
    const { html } = composeDocument(template, values);
    const parts = [...html.matchAll(/--part: ([\d.]+)/g)].map(([, part]) => Number(part));
    const gaps = parts.slice(0, -1).map((part) => part * 0.08);
    const height = [...parts, ...gaps].reduce((sum, part) => sum + part * 500, 0);
    expect(height, `${hundredths} %`).toBeLessThan(1080 - 2 * 72 + 2);
  }
});

test.each([
  [0.12345, "+12.35%"],
  [-0.3333, "−33.33%"],
  [2.5, "+250%"],
  [2.505, "+250.5%"],
  [9.98765, "+998.8%"],
  [10.12345, "+1,012%"],
])("a change of %d is written as %s, which has room beside its statement", async (change, written) => {
  const element = /<p class="change">.*?<b>(.*?)<\/b>/gs;
  expect(await textsOf("data/figure", { data: { change }, element })).toEqual([written]);
});
