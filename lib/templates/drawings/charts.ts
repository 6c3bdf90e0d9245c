import type { SeriesValue } from "../fields/series.ts";
import { drawBars } from "./bar-chart.ts";
import { type ChartStyle, readChartStyle } from "./chart-style.ts";
import { donutLoss, drawDonut } from "./donut-chart.ts";
import { Drawing, type DrawingLoss } from "./drawing.ts";
import { drawLines } from "./line-chart.ts";

/** The Liquid filters that draw a field of type series, by name. */
const CHARTS: Record<string, (value: SeriesValue, style: ChartStyle) => string> = {
  line_chart: (value, style) => drawLines("line", value, style),
  area_chart: (value, style) => drawLines("area", value, style),
  spark_chart: (value, style) => drawLines("spark", value, style),
  bar_chart: (value, style) => drawBars({ value, style, isStacked: false }),
  stacked_chart: (value, style) => drawBars({ value, style, isStacked: true }),
  donut_chart: drawDonut,
};

export const CHART_FILTERS = Object.keys(CHARTS);

function isSeries(value: unknown): value is SeriesValue {
  return typeof value === "object" && value !== null && "series" in value && "labels" in value;
}

/** The text of a chart for screen readers: the labels with their numbers. */
function describe({ labels, series }: SeriesValue, { write }: ChartStyle): string {
  return series
    .map(({ name, values }) => {
      const points = values.map((value, at) => `${labels[at] ?? ""} ${value === null ? "–" : write(value)}`.trim());
      return [name, points.join(", ")].filter(Boolean).join(": ");
    })
    .join("; ");
}

/** What a warning tells of names that are not shown whole. */
function nameLoss(value: SeriesValue, { shortened }: ChartStyle): DrawingLoss | undefined {
  if (shortened.size === 0) return undefined;
  const names = new Set([...value.labels, ...value.series.map(({ name }) => name)].filter(Boolean));
  const shown = names.size - shortened.size;
  const hint = "and the others are shortened or left out";
  return { code: "text_cut", value, shown, of: names.size, unit: "names", hint, isNeverRefused: true };
}

/** Draws a series as SVG. @throws TypeError for a value that is no series, or for wrong arguments */
export function drawChart(filter: string, value: unknown, args: unknown[], language: string): Drawing | string {
  if (value === null || value === undefined) return "";
  if (!isSeries(value)) throw new TypeError(`The filter ${filter} wants a field of type series.`);
  const style = readChartStyle(filter, args, { value, language });
  const html = CHARTS[filter]?.(value, style) ?? "";
  return new Drawing({
    html,
    text: describe(value, style),
    loss: (filter === "donut_chart" ? donutLoss(value) : undefined) ?? nameLoss(value, style),
  });
}
