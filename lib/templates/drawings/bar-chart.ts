import { scaleBand, scaleLinear } from "d3-scale";
import { stack, stackOffsetDiverging } from "d3-shape";
import type { SeriesValue } from "../fields/series.ts";
import { type ChartStyle, emsOf, writeChart, writeLabel, writeRule } from "./chart-style.ts";
import { writeLabelsBelow } from "./labels-below.ts";

type Bar = { x: number; width: number; from: number; to: number; color: string };

function drawBar({ x, width, from, to, color }: Bar): string {
  const [top, bottom] = [Math.min(from, to), Math.max(from, to)];
  return `<rect x="${x.toFixed(2)}" y="${top.toFixed(2)}" width="${width.toFixed(2)}" height="${Math.max(1, bottom - top).toFixed(2)}" fill="${color}"/>`;
}

/** The names of several series in one row, each in its colour. */
function writeNames({ series }: SeriesValue, style: ChartStyle): string {
  const { size, width } = style;
  const room = width / series.length;
  let at = 0;
  return series
    .map(({ name }, index) => {
      const text = style.shorten(name, size, room - size * 1.8);
      const swatch = `<rect x="${at}" y="${(size * 0.25).toFixed(2)}" width="${size * 0.8}" height="${size * 0.8}" fill="${style.colorOf(index)}"/>`;
      const written =
        text === ""
          ? ""
          : swatch +
            writeLabel({ x: at + size * 1.1, y: size, text, size, color: style.ink, room: (emsOf(text) + 0.5) * size });
      at += emsOf(text) * size + size * 2;
      return written;
    })
    .join("");
}

type Bars = { value: SeriesValue; style: ChartStyle; isStacked: boolean };

/** Where the bars of each label begin and end, by series. A missing value has none. */
function extentsOf({ value: { series, labels }, isStacked }: Bars): ([number, number] | null)[][] {
  if (!isStacked) return series.map(({ values }) => values.map((number) => (number === null ? null : [0, number])));
  const rows = labels.map((_, at) => Object.fromEntries(series.map(({ values }, index) => [index, values[at] ?? 0])));
  const stacked = stack<Record<string, number>>()
    .keys(series.map((_, index) => String(index)))
    .offset(stackOffsetDiverging)(rows);
  return stacked.map((one, index) =>
    one.map(([from, to], at) => ((series[index]?.values[at] ?? null) === null ? null : [from, to])),
  );
}

/** Bars from a baseline of zero, beside each other or stacked, with their values above. */
export function drawBars({ value, style, isStacked }: Bars): string {
  const { width, height, size, hasLabels } = style;
  const extents = extentsOf({ value, style, isStacked });
  const ends = extents.flat().flatMap((extent) => extent ?? []);
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const isNamed = value.series.length > 1 && value.series.some(({ name }) => name !== "");
  const hasBelow = hasLabels && value.labels.some((label) => label !== "");
  const top = (isNamed ? size * 2 : 0) + size * 1.4;
  const bottom = height - (hasBelow ? size * 1.7 : 2) - (least < 0 ? size * 1.4 : 0);
  const band = scaleBand<number>()
    .domain(value.labels.map((_, at) => at))
    .range([0, width])
    .paddingInner(0.28);
  const y = scaleLinear()
    .domain([least, least === most ? 1 : most])
    .range([bottom, top]);
  const share = isStacked ? 1 : value.series.length;
  const barWidth = band.bandwidth() / share;
  const shapes = extents.flatMap((one, index) =>
    one.map((extent, at) => {
      if (extent === null || extent[0] === extent[1]) return "";
      const x = (band(at) ?? 0) + (isStacked ? 0 : index * barWidth);
      const inset = share > 1 ? Math.min(2, barWidth * 0.1) : 0;
      const [from, to] = extent[1] > 0 ? [y(extent[0]), y(extent[1])] : [y(extent[1]), y(extent[0])];
      const isOnAnother = isStacked && from !== y(0);
      return drawBar({
        x: x + inset,
        width: barWidth - 2 * inset,
        from: isOnAnother ? from + Math.sign(to - from) * Math.min(2, Math.abs(to - from) / 2) : from,
        to,
        color: style.colorOf(index),
      });
    }),
  );
  const numbers = isStacked ? writeTotals(value, { style, y, band }) : writeValues(value, { style, y, band, barWidth });
  const below = hasBelow
    ? writeLabelsBelow(value.labels, {
        style,
        y: height - size * 0.3,
        xOf: (at) => (band(at) ?? 0) + band.bandwidth() / 2,
        isEach: true,
      })
    : "";
  const zero = writeRule(y(0), { from: 0, to: width, color: style.quiet, width: 2 });
  return writeChart(
    isStacked ? "stacked" : "bar",
    style,
    [isNamed ? writeNames(value, style) : "", ...shapes, zero, numbers, below].join(""),
  );
}

type Placed = {
  style: ChartStyle;
  y: (value: number) => number;
  band: { (at: number): number | undefined; bandwidth(): number };
};

/** Draws all numbers or none. If only some were drawn, readers would take the others for missing values. */
function writeAll(labels: { x: number; y: number; text: string; room: number }[], style: ChartStyle): string {
  const size = Math.round(style.size * 0.9);
  if (labels.some(({ text, room }) => emsOf(text) * size > room)) return "";
  return labels
    .map((label) => writeLabel({ ...label, size, color: style.ink, anchor: "middle", weight: 600 }))
    .join("");
}

function writeValues({ series }: SeriesValue, { style, y, band, barWidth }: Placed & { barWidth: number }): string {
  const labels = series.flatMap(({ values }, index) =>
    values.flatMap((value, at) => {
      if (value === null) return [];
      const x = (band(at) ?? 0) + (index + 0.5) * barWidth;
      const room = series.length > 1 ? barWidth : barWidth * 1.35;
      return {
        x,
        y: value < 0 ? y(value) + style.size * 1.05 : y(value) - style.size * 0.35,
        text: style.write(value),
        room,
      };
    }),
  );
  return writeAll(labels, style);
}

function writeTotals({ series, labels }: SeriesValue, { style, y, band }: Placed): string {
  const totals = labels.flatMap((_, at) => {
    const values = series.flatMap(({ values }) => values[at] ?? []);
    if (values.length === 0) return [];
    const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
    const [above, below] = [sumOf(values.filter((value) => value > 0)), sumOf(values.filter((value) => value < 0))];
    const text = style.write(sumOf(values));
    return {
      x: (band(at) ?? 0) + band.bandwidth() / 2,
      y: above === 0 && below < 0 ? y(below) + style.size * 1.05 : y(above) - style.size * 0.35,
      text,
      room: band.bandwidth() * 1.35,
    };
  });
  return writeAll(totals, style);
}
