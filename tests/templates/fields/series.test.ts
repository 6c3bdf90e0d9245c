import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wcagContrast } from "culori";
import { describe, expect, test } from "vitest";
import { PROJECT_DIR } from "#lib/config.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { CHART_FILTERS, drawChart } from "#lib/templates/drawings/charts.ts";
import type { Drawing } from "#lib/templates/drawings/drawing.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { type SeriesValue, seriesDeclaration, seriesField } from "#lib/templates/fields/series.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "../template-folder.ts";

async function readOne(value: unknown, rest: object = {}): Promise<unknown> {
  const read = await seriesField.read(
    value,
    seriesDeclaration.parse({ type: "series", label: "Figures", ...rest }),
    {},
  );
  if ("fault" in read) return `${read.fault.code}: ${read.fault.message}`;
  return "finish" in read ? undefined : read.value;
}

test.each([
  [[1, null, -2.5], { labels: ["", "", ""], series: [{ name: "", values: [1, null, -2.5] }] }],
  [
    [{ label: " Mon ", value: 3 }, { label: "Tue" }, ""],
    { labels: ["Mon", "Tue", ""], series: [{ name: "", values: [3, null, null] }] },
  ],
  [
    { labels: ["a"], series: [{ name: "Shop", values: [1] }, { values: [null] }] },
    {
      labels: ["a"],
      series: [
        { name: "Shop", values: [1] },
        { name: "", values: [null] },
      ],
    },
  ],
  [[], null],
  [[null, { label: "x" }], null],
  [[0.1 + 0.2 - 0.3, 0, 2e-12], { labels: ["", "", ""], series: [{ name: "", values: [0, 0, 2e-12] }] }],
  [[5e-324, -1e-300, -0], { labels: ["", "", ""], series: [{ name: "", values: [0, 0, 0] }] }],
])("%j is read", async (value, wanted) => {
  expect(await readOne(value)).toEqual(wanted);
});

test.each([
  ["12", 'invalid_type: Got "12", want numbers as an array, or as { "labels", "series" }.'],
  [[1, "2"], 'invalid_series: Got "2" in point 2, want a number or null.'],
  [
    [1e16],
    "invalid_series: Got 10000000000000000 in point 1, want a number from -1000000000000000 to 1000000000000000.",
  ],
  [[{ label: 5, value: 1 }], "invalid_series: Got 5 as a label in point 1, want a string."],
  [[{ label: "x".repeat(41), value: 1 }], "invalid_series: Got 41 characters in point 1, want at most 40."],
  [[{ name: "x", value: 1 }], 'invalid_series: Got the key "name", want only "label", "value".'],
  [
    { series: [{ values: [1] }, { values: [1, 2] }] },
    "invalid_series: Got 2 values in series 2, want 1 as in series 1.",
  ],
  [{ labels: ["a"], series: [{ values: [1, 2] }] }, "invalid_series: Got 1 labels, want 2, one for each value."],
  [{ series: Array(5).fill({ values: [1] }) }, "too_long: Got 5 series, want at most 4."],
  [Array(61).fill(1), "too_long: Got 61 points, want at most 60."],
])("%j is refused", async (value, wanted) => {
  expect(await readOne(value)).toBe(wanted);
});

test("a million series are counted, and not read", async () => {
  expect(await readOne({ series: Array(1_000_000).fill({}) })).toBe("too_long: Got 1000000 series, want at most 4.");
});

function draw(filter: string, value: SeriesValue, options: Record<string, unknown> = {}, language = "en"): string {
  const args = Object.entries({ width: 600, height: 300, size: 16, ...options });
  return (drawChart(filter, value, args, language) as Drawing).html;
}

const points = (values: (number | null)[], labels = values.map((_, at) => `L${at}`)): SeriesValue => ({
  labels,
  series: [{ name: "", values }],
});

const textsOf = (html: string) => [...html.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
const barsOf = (html: string) =>
  [...html.matchAll(/<rect x="[^"]*" y="([^"]*)" width="[^"]*" height="([^"]*)"/g)].map(([, y, height]) => [
    Number(y),
    Number(height),
  ]);

test("numbers that no scale can divide by are drawn as zero", async () => {
  for (const filter of CHART_FILTERS)
    for (const numbers of [[5e-324], [0, 5e-324], [5e-324, 1e-323], [5e-324, -5e-324], [1e-310, 2e-310, 3e-310]])
      expect(draw(filter, (await readOne(numbers)) as SeriesValue)).not.toMatch(/NaN|Infinity/);
});

describe("charts", () => {
  test("bars of negative numbers are as long as the room, however small the numbers are", () => {
    const heightsOf = (numbers: number[]) => barsOf(draw("bar_chart", points(numbers))).map(([, height]) => height);
    expect(heightsOf([-0.001, -0.002])).toEqual(heightsOf([-100, -200]));
  });

  test("bars start at zero, above and below it, and a missing value has none", () => {
    const bars = barsOf(draw("bar_chart", points([4, null, -2]))) as [[number, number], [number, number]];
    expect(bars).toHaveLength(2);
    expect(bars[0][0] + bars[0][1]).toBeCloseTo(bars[1][0], 1);
    expect(bars[0][1] / bars[1][1]).toBeCloseTo(2, 1);
  });

  test("stacked bars are as high as their sum, and its number stands above", () => {
    const value = { labels: ["a"], series: [3, 4, -1].map((number) => ({ name: "", values: [number] })) };
    expect(textsOf(draw("stacked_chart", value))).toContain("6");
  });

  test("a line has a gap where a value is missing, and a value alone is a dot", () => {
    const html = draw("line_chart", points([1, null, 3, 4, null, 2]));
    expect(
      /<path d="([^"]*)" fill="none" stroke="#[^"]*" stroke-width="[\d.]+" stroke-linejoin/
        .exec(html)?.[1]
        ?.match(/M/g),
    ).toHaveLength(3);
    expect(html.match(/<circle/g)).toHaveLength(3);
  });

  test("an area has zero on its axis, and a line only where its values are near", () => {
    expect(textsOf(draw("area_chart", points([80, 90])))).toContain("0");
    expect(textsOf(draw("line_chart", points([80, 90])))).not.toContain("0");
  });

  test("numbers are written in the language of the document", () => {
    expect(textsOf(draw("bar_chart", points([1234.5, 1]), {}, "de"))).toContain("1.234,5");
    expect(textsOf(draw("line_chart", points([0.5, 0.25]), { format: "percent" }, "fr")).join()).toMatch(/25\s%/);
  });

  test("the labels at the ends of lines do not overlap, and values are never shortened", () => {
    const names = ["First of many names", "Second of many names", "Third of many names"];
    const value = { labels: ["a", "b"], series: names.map((name) => ({ name, values: [1, 1_234_567] })) };
    const ends = [
      ...draw("line_chart", value, { end: 30 }).matchAll(
        /<text x="[^"]*" y="([^"]*)" font-size="(\d+)"[^>]*font-weight="700">([^<]*)</g,
      ),
    ];
    expect(ends.map(([, , , text]) => text)).toEqual(Array(3).fill(expect.stringMatching(/… 1,234,567$/)));
    const [first = 0, second = 0, third = 0] = ends.map(([, y]) => Number(y));
    const size = Number(ends[0]?.[2]);
    expect([second - first, third - second].every((distance) => distance >= size)).toBe(true);
  });

  test("a donut has the parts of a whole, and more than six are summed up", () => {
    const html = draw("donut_chart", points([5, 4, 3, 2, 2, 2, 2, null, -1]));
    expect(html.match(/<path/g)).toHaveLength(6);
    expect(textsOf(html)).toEqual(expect.arrayContaining(["20", "… 4"]));
  });

  test.each(["#ffffff", "#f3efe6", "#808080", "#101820", "#ffd84d"])("colours stand out from %s", (ground) => {
    const value = {
      labels: ["a", "b"],
      series: [1, 2, 3, 4, 5, 6].map((number) => ({ name: "n", values: [number, number] })),
    };
    const html = draw("bar_chart", value, { ground, color: ground });
    for (const [, color = ""] of html.matchAll(/<rect[^>]*fill="(#[^"]*)"/g))
      expect(wcagContrast(color, ground)).toBeGreaterThanOrEqual(2.99);
  });

  test("labels with letters from right to left are ordered from right to left", () => {
    const texts = textsOf(draw("line_chart", points([31, 33]), { format: "unit", unit: "celsius" }, "ar"));
    expect(texts).toContain("\u206733\u00b0\u0645\u2069");
    expect(textsOf(draw("line_chart", points([31, 33]))).join()).not.toContain("\u2067");
  });

  test("no chart has a number that is not finite, whatever the values are", () => {
    const values = [[0], [0, 0], [-5], [1e15, -1e15], [null, 3], [1e-9], Array.from({ length: 60 }, (_, at) => at)];
    for (const filter of CHART_FILTERS)
      for (const each of values)
        expect(draw(filter, points(each as number[])), `${filter} ${each}`).not.toMatch(/NaN|Infinity|undefined/);
  });
});

async function templateWith(html: string) {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({ title: TITLE, figures: { type: "series", label: "Figures" } }),
    "template.html": `{{ title }}${html}`,
  });
  const { templates, faults } = await compileRegistry(root);
  return { template: templates[0], faults: faults.map(({ line, reason }) => `${line} ${reason}`).join("\n") };
}

test("labels are escaped", async () => {
  const { template, faults } = await templateWith("<div>{{ figures | bar_chart: width: 300, height: 200 }}</div>");
  if (!template) throw new Error(faults);
  const { values } = await readFields({
    declarations: template.fields,
    values: { figures: [{ label: "<i>&", value: 1 }] },
    base: template.variants.plain?.values ?? {},
    path: "",
  });
  const { html } = composeDocument(template, values);
  expect(html).toContain("&lt;i&gt;&amp;</text>");
  expect(html).not.toContain("<i>");
});

test.each([
  [
    "<p>{{ figures }}</p>",
    /1 Got \{\{ figures \}\}, want \{\{ figures \| line_chart: width: 1000, height: 400 \}\} or another chart\./,
  ],
  [
    "<p>{{ figures | line_chart: width: 300 }}</p>",
    /Got nothing for height of line_chart, want a number from 12 to 4096/,
  ],
  ["<p>{{ title | bar_chart: width: 300, height: 99 }}</p>{% if figures %}{% endif %}", /wants a field of type series/],
])("a template that uses a series wrongly is refused: %s", async (html, reason) => {
  expect((await templateWith(html)).faults).toMatch(reason);
});

test("a ring without labels is as large as the picture", () => {
  const html = draw("donut_chart", points([34, 66]), { width: 300, labels: false });
  expect(textsOf(html)).toEqual([]);
  expect(html).not.toContain("<rect");
  expect(html).toContain('transform="translate(150 150)"');
});

test("an area without an axis reaches from edge to edge, and has no numbers", () => {
  const html = draw("area_chart", points([3, 1, 2]), { axis: false });
  expect(textsOf(html)).toEqual([]);
  expect(html).toMatch(/<path d="M0,[^"]*L600,[^"]*L600,300[^"]*L0,300Z"/);
});

test.each([
  ["#8c1c13,#0b5d4e", ["#8c1c13", "#0b5d4e"]],
  ["#000000,#c0392b,#010101", ["#000000", "#c0392b", "#0072b2"]],
  ["#8c1c13", ["#8c1c13", "#0072b2"]],
])("the template may choose the colours of series, and those that look alike have others: %s", (colors, shown) => {
  const value = { labels: ["a"], series: shown.map((_, index) => ({ name: "", values: [index + 1] })) };
  const html = draw("stacked_chart", value, { colors });
  expect([...html.matchAll(/fill="(#[0-9a-f]{6})"\/>/g)].map(([, color]) => color)).toEqual(shown);
});

test("every chart is drawn by a shipped template", () => {
  const sources = globSync("templates/*/*/template.html", { cwd: PROJECT_DIR }).map((file) =>
    readFileSync(join(PROJECT_DIR, file), "utf8"),
  );
  for (const filter of CHART_FILTERS)
    expect(
      sources.filter((source) => source.includes(`| ${filter}:`)),
      filter,
    ).not.toEqual([]);
});
