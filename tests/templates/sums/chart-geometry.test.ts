import { expect, test } from "vitest";
import { drawChart } from "#lib/templates/drawings/charts.ts";
import type { Drawing } from "#lib/templates/drawings/drawing.ts";
import type { SeriesValue } from "#lib/templates/fields/series.ts";

function draw(filter: string, values: (number | null)[][], options: Record<string, unknown>): string {
  const series = values.map((each, index) => ({ name: values.length > 1 ? `Series ${index}` : "", values: each }));
  const value: SeriesValue = { labels: (values[0] ?? []).map((_, index) => `Label ${index}`), series };
  return (drawChart(filter, value, Object.entries(options), "en") as Drawing).html;
}

const coloured = /<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)" fill="(#\w+)"/g;

test.each([
  [200, 26, [1e15, 9e14], "decimal"],
  [300, 20, [123_456_789, 123_456_999], "decimal"],
  [300, 20, [1e15, 9e14], "percent"],
  [80, 12, [-1e12, 5], "decimal"],
])(
  "a line of %d pixels has room beside numbers of size %d, and runs forwards: %j as %s",
  (width, size, values, format) => {
    const html = draw("line_chart", [values], { width, height: width / 2, size, end: size, format, labels: false });
    const [, first = "", last = ""] = /<path d="M([\d.-]+),[\d.-]+L([\d.-]+),/.exec(html) ?? [];
    expect(Number(last) - Number(first)).toBeGreaterThan(width * 0.1);
  },
);

test("the parts of stacked bars are as long as their numbers, above and below zero", () => {
  const values = [
    [10, -10],
    [20, -20],
  ];
  const html = draw("stacked_chart", values, { width: 600, height: 400, size: 20 });
  const parts = [...html.matchAll(coloured)].slice(2).map(([, y, height]) => [Number(y), Number(y) + Number(height)]);
  const [above = [], below = [], onAbove = [], onBelow = []] = parts;
  const [zero = 0, unit] = [above[1], ((above[1] ?? 0) - (above[0] ?? 0)) / 10];
  expect(below[0]).toBeCloseTo(zero);
  // The outer ends are those of the sums. A part keeps a distance of two pixels from the one that it stands on.
  expect((zero - (onAbove[0] ?? 0)) / unit).toBeCloseTo(30, 1);
  expect(((onBelow[1] ?? 0) - zero) / unit).toBeCloseTo(30, 1);
  expect((above[0] ?? 0) - (onAbove[1] ?? 0)).toBeCloseTo(2);
  expect((onBelow[0] ?? 0) - (below[1] ?? 0)).toBeCloseTo(2);
});

test.each(["#ffffff", "#f4c430", "#009e73", "#1d4ed8", "#bbbbbb", "#ff00ff"])(
  "six parts of a ring on %s have six colours",
  (ground) => {
    const html = draw("donut_chart", [[1, 2, 3, 4, 5, 6]], { width: 600, height: 300, ground });
    const colors = [...html.matchAll(coloured)].map(([, , , color]) => color);
    expect(new Set(colors).size).toBe(6);
  },
);

test("the labels of a low ring do not stand on each other", () => {
  const html = draw("donut_chart", [[1, 2, 3, 4, 5, 6]], { width: 400, height: 120, size: 22 });
  const labels = [...html.matchAll(/y="([\d.]+)" font-size="([\d.]+)"[^>]*>Label/g)].map(([, y, size]) => [
    Number(y),
    Number(size),
  ]);
  expect(labels).toHaveLength(6);
  for (const [index, [y = 0, size = 0]] of labels.slice(1).entries())
    expect(y - (labels[index]?.[0] ?? 0)).toBeGreaterThanOrEqual(size);
});
