import { expect, test } from "vitest";
import { composeDocument } from "#lib/templates/compose.ts";
import { drawChart } from "#lib/templates/drawings/charts.ts";
import type { Drawing } from "#lib/templates/drawings/drawing.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { type SeriesValue, seriesDeclaration, seriesField } from "#lib/templates/fields/series.ts";
import { documentWarnings } from "#lib/templates/warnings.ts";
import { compileCard } from "../card.ts";
import { manifestWith, TITLE } from "../template-folder.ts";

test("numbers outside of the declared limits are refused", async () => {
  const declaration = seriesDeclaration.parse({ type: "series", label: "Figures", min: 0, max: 1 });
  const readOne = async (value: unknown) => {
    const read = await seriesField.read(value, declaration, {});
    return "fault" in read ? `${read.fault.code}: ${read.fault.message}` : "value" in read && read.value;
  };
  const why = (got: string) => `invalid_series: Got ${got}, want a number from 0 to 1.`;
  expect(await readOne([1, 99.5])).toBe(why("99.5 in point 2"));
  expect(await readOne({ series: [{ values: [0, -0.1] }] })).toBe(why("-0.1 in value 2 of series 1"));
  expect(await readOne([0, 1, null])).toMatchObject({ series: [{ values: [0, 1, null] }] });
});

test("a donut tells which numbers it cannot show", () => {
  const lossOf = (values: (number | null)[], ...others: (number | null)[][]) => {
    const series = [values, ...others].map((each) => ({ name: "n", values: each }));
    const value: SeriesValue = { labels: values.map(() => "a"), series };
    const options = Object.entries({ width: 600, height: 300 });
    const { loss } = drawChart("donut_chart", value, options, "en") as Drawing;
    return loss && [loss.code, loss.shown, loss.of];
  };
  expect(lossOf([5, null, 0])).toBeUndefined();
  expect(lossOf([5, null, -1])).toEqual(["field_ignored", 1, 2]);
  expect(lossOf([1, null], [2, null])).toEqual(["field_ignored", 1, 2]);
});

test("numbers of a request that a donut has no part for are a warning, and those of the variant are not", async () => {
  const template = await compileCard({
    "template.json": manifestWith({ title: TITLE, figures: { type: "series", label: "Figures" } }),
    "content.json": JSON.stringify({ plain: { title: "x", figures: [5, -1] } }),
    "template.html": "<h1>{{ title }}</h1>{{ figures | donut_chart: width: 300, height: 300 }}",
  });
  const base = template.variants.plain?.values ?? {};
  const warningsOf = async (data: Record<string, unknown>) => {
    const { values } = await readFields({ declarations: template.fields, values: data, base, path: "/data" });
    return await documentWarnings({ template, base, values, document: composeDocument(template, values) });
  };
  expect(await warningsOf({ title: "y" })).toEqual([]);
  const message = "1 of 2 numbers are shown, because a ring has the parts of one series, from zero up.";
  expect(await warningsOf({ figures: [5, -2] })).toEqual([{ path: "/data/figures", code: "field_ignored", message }]);
});

test.each([
  [[0.0004, 0.0012], {}, ["0.0004", "0.0006", "0.0008", "0.0010", "0.0012"]],
  [[1.0002, 1.001], {}, ["1.0002", "1.0004", "1.0006", "1.0008", "1.0010"]],
  [[0.50002, 0.5001], { format: "percent" }, ["50.002%", "50.004%", "50.006%", "50.008%", "50.010%"]],
  [[1, 5], {}, ["1", "2", "3", "4", "5"]],
  [[1200, 1400], { format: "compact" }, ["1.2K", "1.25K", "1.3K", "1.35K", "1.4K"]],
  [[10_000, 20_000], { format: "compact" }, ["10K", "12K", "14K", "16K", "18K", "20K"]],
  [[1_000_000, 1_010_000], { format: "compact" }, ["1M", "1.002M", "1.004M", "1.006M", "1.008M", "1.01M"]],
  [[0.7, 1.33], { height: 120 }, ["1"]],
  [[0.7, 1.33], { height: 120, digits: 1 }, ["1.0"]],
  // Digits that a template asks for are the least, because a number of the axis is that of its rule.
  [[0.1, 0.5], { digits: 0 }, ["0.1", "0.2", "0.3", "0.4", "0.5"]],
  [[1, 3], { digits: 2 }, ["1.00", "1.50", "2.00", "2.50", "3.00"]],
  [[1.000_000_1, 1.000_000_4], {}, ["1.0000001", "1.0000002", "1.0000003", "1.0000004"]],
  [[1e12, 1e12 + 4], { format: "compact" }, [0, 1, 2, 3, 4].map((one) => `1,000,000,000,00${one}`)],
  [[0, 4e-9], {}, ["0", "1E-9", "2E-9", "3E-9", "4E-9"]],
  [[1e-9, 1e-9], { format: "percent" }, ["0%", "5E-8%", "1E-7%", "1.5E-7%", "2E-7%"]],
  // The error of a sum is no difference.
  [[0.3, 0.1 + 0.2], {}, ["-0.2", "0", "0.2", "0.4", "0.6", "0.8"]],
])("the numbers of the axis of %j are told apart", (values, style, wanted) => {
  const value = { labels: ["", ""], series: [{ name: "", values }] };
  const options = Object.entries({ width: 600, height: 400, size: 20, ...style });
  const { html } = drawChart("line_chart", value, options, "en") as Drawing;
  const axis = [...html.matchAll(/<text x="0"[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(axis).toEqual(wanted);
});

test.each(["line_chart", "area_chart"])(
  "a series whose values are all missing has no value at the end of a %s",
  (filter) => {
    const value: SeriesValue = {
      labels: ["a", "b"],
      series: [
        { name: "Shop", values: [2, 1] },
        { name: "Web", values: [null, null] },
      ],
    };
    const { html } = drawChart(filter, value, Object.entries({ width: 600, height: 300 }), "en") as Drawing;
    const ends = [...html.matchAll(/<text [^>]*font-weight="700"[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(ends).toEqual(["Shop 1", "Web –"]);
  },
);

test.each(["bar_chart", "donut_chart", "line_chart"])("a %s says no 0 of numbers that are all very small", (filter) => {
  const value: SeriesValue = { labels: ["a", "b"], series: [{ name: "", values: [2e-9, 4e-9] }] };
  const { html, text } = drawChart(filter, value, Object.entries({ width: 600, height: 300 }), "en") as Drawing;
  expect(html).toContain("4E-9");
  expect(text).toBe("a 2E-9, b 4E-9");
});
