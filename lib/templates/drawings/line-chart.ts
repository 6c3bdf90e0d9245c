import { type ScaleLinear, scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { SeriesValue } from "../fields/series.ts";
import { type ChartStyle, emsOf, nameWithValue, writeChart, writeLabel, writeRule } from "./chart-style.ts";
import { writeLabelsBelow } from "./labels-below.ts";

type Point = { x: number; y: number | null };

/** The dashes of each series, so that they are told apart without colours too. */
const DASHES = ["", "2 1.6", "0.1 1.9", "4 1.6", "4 1.6 0.1 1.6", "1 1"];

type Kind = "line" | "area" | "spark";

/** Numbers that differ by less than this share of their size are drawn as equal: 0.1 + 0.2 and 0.3 differ by the error of a sum. */
const SAME = 1e-12;

function rangeOf({ series }: SeriesValue, hasZero: boolean): [number, number] {
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [low, high] = hasZero ? [Math.min(0, least), Math.max(0, most)] : [least, most];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > size * SAME) return [low, high];
  const around = size === 0 ? 1 : Math.min(1, size);
  return [low - around, high + around];
}

type End = { y: number; text: string; color: string };

/** Moves the labels of the ends apart, so that they keep their order and a distance of one line. */
export function spread(
  ends: End[],
  { line: leading, top, bottom }: { line: number; top: number; bottom: number },
): End[] {
  const sorted = ends.toSorted((a, b) => a.y - b.y);
  let at = top;
  for (const end of sorted) {
    end.y = Math.max(end.y, at);
    at = end.y + leading;
  }
  let limit = bottom;
  for (const end of sorted.toReversed()) {
    end.y = Math.min(end.y, limit);
    limit = end.y - leading;
  }
  return sorted;
}

type Ends = { texts: string[]; size: number; room: number };

/** The last value of a series. One whose values are all missing has none, which is not zero. */
const lastOf = (values: (number | null)[]) => values.findLast((one) => one !== null) ?? undefined;

/** The share of the width that the values at the ends may take, and more where they would become smaller than other labels. */
const END_SHARE = 0.3;
const MOST_END_SHARE = 0.45;
/** The share of the width that the numbers of the axis may take. */
const AXIS_SHARE = 0.3;

/** The names and last values of the series, in one size that fits. A name is shortened, a value never is. */
function endsOf({ series }: SeriesValue, style: ChartStyle): Ends {
  const most = style.width * END_SHARE;
  const parts = series.map(({ name, values }) => {
    const last = lastOf(values);
    return { name, value: last === undefined ? "–" : style.write(last) };
  });
  const widest = Math.max(...parts.map(({ name, value }) => emsOf(name === "" ? value : `${name} ${value}`)));
  const least = Math.min(style.end, style.size * 1.2);
  const wanted = Math.max(least, Math.min(style.end, most / widest, (style.height * 0.8) / series.length));
  const longest = Math.max(...parts.map(({ value }) => emsOf(value)));
  const size = Math.min(Math.floor(wanted), smallerSize(style, longest + END_GAP, MOST_END_SHARE));
  const texts = parts.map(({ name, value }) => {
    const shown = name === "" ? "" : style.shorten(name, size, most - emsOf(` ${value}`) * size + 1);
    return nameWithValue(shown, value);
  });
  return { texts, size, room: (Math.max(...texts.map((text) => emsOf(text))) + END_GAP) * size + style.stroke };
}

/** The distance of the values from the ends of their lines, in ems. */
const END_GAP = 0.4;

/** The size at which a text of so many ems takes a share of the width at most. Without it, the line would have no room, or run backwards. */
function smallerSize({ width, stroke }: ChartStyle, ems: number, share: number): number {
  return Math.round(((width * share - stroke) / ems) * 100) / 100;
}

type Axis = { y: ScaleLinear<number, number>; ticks: number[]; texts: string[]; size: number; left: number };

/** The rules of the vertical axis, with their numbers in a column before them. */
function axisOf(y: ScaleLinear<number, number>, style: ChartStyle): Axis {
  const [bottom = 0, top = 0] = y.range();
  const ticks = y.ticks(Math.max(2, Math.min(4, Math.floor((bottom - top) / (style.size * 3)))));
  const texts = style.writeTicks(ticks);
  const ems = Math.max(...texts.map((text) => emsOf(text)));
  const size = Math.min(Math.round(style.size * 0.85), smallerSize(style, ems + 0.75, AXIS_SHARE));
  return { y, ticks, texts, size, left: ems * size + Math.min(style.size * 0.6, size * 0.75) + style.stroke };
}

function writeAxis({ y, ticks, texts, size, left }: Axis, right: number, style: ChartStyle): string {
  const room = left - style.stroke - size * 0.3;
  return ticks
    .map((tick, index) => {
      const isZero = tick === 0;
      const color = isZero ? style.quiet : style.rule;
      const rule = writeRule(y(tick), { from: left - style.stroke, to: right, color, width: isZero ? 2 : 1 });
      const text = texts[index] ?? "";
      return rule + writeLabel({ x: 0, y: y(tick) + size * 0.35, text, size, color: style.quiet, room });
    })
    .join("");
}

function verticalScale(
  kind: Kind,
  value: SeriesValue,
  { top, bottom }: { top: number; bottom: number },
): ScaleLinear<number, number> {
  const y = scaleLinear()
    .domain(rangeOf(value, kind === "area"))
    .range([bottom, top]);
  return kind === "spark" ? y : y.nice(4);
}

/** Lines with their values at the end. Missing values are gaps, and a value alone between gaps is a dot. */
export function drawLines(kind: Kind, value: SeriesValue, style: ChartStyle): string {
  const { width, height, size, stroke, hasLabels, hasAxis } = style;
  const isSpark = kind === "spark";
  const isBare = isSpark || !hasAxis;
  const ends = isBare ? { texts: [], size: 0, room: isSpark ? stroke * 2 : 0 } : endsOf(value, style);
  const hasBelow = !isBare && hasLabels && value.labels.some((label) => label !== "");
  const top = isSpark ? stroke * 2 : Math.max(stroke * 2, ends.size * 0.5);
  const bottom = height - (hasBelow ? size * 1.9 : isSpark ? stroke * 2 : hasAxis ? size * 0.5 : 0);
  const y = verticalScale(kind, value, { top, bottom });
  const axis = isBare ? undefined : axisOf(y, style);
  const right = width - ends.room;
  const x = scaleLinear()
    .domain(value.labels.length > 1 ? [0, value.labels.length - 1] : [-1, 0])
    .range([axis?.left ?? ends.room, right]);
  const zero = y(Math.max(y.domain()[0] ?? 0, Math.min(0, y.domain()[1] ?? 0)));
  const shapes = value.series.map(({ values }, index) => {
    const points: Point[] = values.map((number, at) => ({ x: x(at), y: number === null ? null : y(number) }));
    return drawSeries(points, { kind, index, style, zero });
  });
  const endLabels = spread(
    ends.texts.map((text, index) => {
      const last = lastOf(value.series[index]?.values ?? []);
      return { text, color: style.textColorOf(index), y: last === undefined ? bottom : y(last) };
    }),
    { line: ends.size * 1.12, top, bottom: bottom - ends.size * 0.4 },
  ).map((end) =>
    writeLabel({
      ...end,
      x: right + ends.size * 0.3 + stroke,
      y: end.y + ends.size * 0.35,
      size: ends.size,
      weight: 700,
      room: ends.room - ends.size * 0.3 - stroke,
    }),
  );
  const below = hasBelow ? writeLabelsBelow(value.labels, { style, y: height - size * 0.3, xOf: x }) : "";
  return writeChart(kind, style, [axis ? writeAxis(axis, right, style) : "", ...shapes, ...endLabels, below].join(""));
}

type SeriesShape = { kind: Kind; index: number; style: ChartStyle; zero: number };

function drawSeries(points: Point[], { kind, index, style, zero }: SeriesShape): string {
  const { stroke } = style;
  const color = kind === "area" ? style.colorOf(index) : style.textColorOf(index);
  const known = points.filter((point): point is { x: number; y: number } => point.y !== null);
  const isThere = ({ y }: Point) => y !== null;
  const path =
    line<Point>()
      .defined(isThere)
      .x((point) => point.x)
      .y((point) => point.y ?? 0)
      .digits(2)(points) ?? "";
  const fill =
    kind === "area"
      ? area<Point>()
          .defined(isThere)
          .x((point) => point.x)
          .y0(zero)
          .y1((point) => point.y ?? 0)
          .digits(2)(points)
      : null;
  const dash = (DASHES[index % DASHES.length] ?? "")
    .split(" ")
    .filter(Boolean)
    .map((part) => Number(part) * stroke)
    .join(" ");
  const alone = points.filter(
    (point, at) =>
      isThere(point) && !isThere(points[at - 1] ?? { x: 0, y: null }) && !isThere(points[at + 1] ?? { x: 0, y: null }),
  );
  const dots = [...alone, ...known.slice(-1)].map(
    ({ x, y }) => `<circle cx="${x.toFixed(2)}" cy="${(y ?? 0).toFixed(2)}" r="${stroke * 1.5}" fill="${color}"/>`,
  );
  return [
    fill === null ? "" : `<path d="${fill}" fill="${color}" fill-opacity="0.24"/>`,
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="${stroke}" stroke-linejoin="round" stroke-linecap="round"${dash ? ` stroke-dasharray="${dash}"` : ""}/>`,
    ...dots,
  ].join("");
}
