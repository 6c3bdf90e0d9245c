import { type ScaleLinear, scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { SeriesValue } from "../fields/series.ts";
import { type ChartStyle, emsOf, shorten, writeChart, writeLabel, writeRule } from "./chart-style.ts";

type Point = { x: number; y: number | null };

/** The dashes of each series, so that they are told apart without colours too. */
const DASHES = ["", "2 1.6", "0.1 1.9", "4 1.6", "4 1.6 0.1 1.6", "1 1"];

type Kind = "line" | "area" | "spark";

function rangeOf({ series }: SeriesValue, hasZero: boolean): [number, number] {
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [low, high] = hasZero ? [Math.min(0, least), Math.max(0, most)] : [least, most];
  return low === high ? [low - 1, high + 1] : [low, high];
}

type LabelRow = {
  style: ChartStyle;
  /** The baseline of the text. */
  y: number;
  xOf: (index: number) => number;
  /** True for names, which are made smaller or shortened rather than left out, as long as they can be told apart. */
  isEach?: boolean;
};

/** The least width for a name, in ems. */
const NAME_EMS = 3.2;

/** Names of bars are set smaller, down to this share of the size, where more of them can be read whole then. */
const LEAST_NAME_SCALE = 0.75;

type NameRoom = { size: number; room: number };

/** The size of names that have a room each. One that needs a smaller size than the least is shortened, and makes no other smaller. */
function nameSize(labels: string[], { size, room }: NameRoom): number {
  const scales = labels.map((label) => room / (emsOf(label) * size));
  const scale = Math.min(1, ...scales.filter((each) => each >= LEAST_NAME_SCALE));
  return Math.floor(scale * size * 100) / 100;
}

/** Whether shortened names could not be told apart, such as "Tháng 1" and "Tháng 2". */
function wouldLookAlike(labels: string[], { size, room }: NameRoom): boolean {
  const cut = new Set(labels.filter((label) => emsOf(label) * size > room));
  return new Set([...cut].map((label) => shorten(label, size, room))).size < cut.size;
}

/** Chooses the labels that have room: always the first, the last if it has room, and evenly spaced ones between. */
export function writeLabelsBelow(labels: string[], { style, y, xOf, isEach = false }: LabelRow): string {
  const { quiet, width } = style;
  const pitch = labels.length > 1 ? Math.abs(xOf(1) - xOf(0)) : width;
  const gap = style.size / 2;
  const each = { size: nameSize(labels, { size: style.size, room: pitch - gap }), room: pitch - gap };
  const hasRoomEach = isEach && pitch >= style.size * NAME_EMS && !wouldLookAlike(labels, each);
  const size = hasRoomEach ? each.size : style.size;
  const widest = Math.max(0, ...labels.map((label) => emsOf(label))) * size + size;
  const room = Math.min(widest, width / Math.min(3, labels.length));
  const step = hasRoomEach ? 1 : Math.max(1, Math.ceil(room / pitch));
  const last = labels.length - 1;
  return labels
    .map((label, index) => {
      if (index % step !== 0 && index !== last) return "";
      if (index !== last && index % step === 0 && last - index < step && index !== 0) return "";
      const text = style.shorten(label, size, Math.max(step === 1 ? 0 : room, pitch) - gap);
      const half = (emsOf(text) * size) / 2;
      const x = xOf(index);
      const between = step * pitch - gap;
      const [anchor, at] =
        x - half < 0
          ? (["start", Math.max(0, x - half)] as const)
          : x + half > width
            ? (["end", width] as const)
            : (["middle", x] as const);
      const own = anchor === "middle" ? Math.min(between, 2 * x, 2 * (width - x)) : Math.abs(x - at) + between / 2;
      return writeLabel({ x: at, y, text, size, color: quiet, anchor, room: own });
    })
    .join("");
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

/** The share of the width that the values at the ends may take. */
const END_SHARE = 0.3;

/** The names and last values of the series, in one size that fits. A name is shortened, a value never is. */
function endsOf({ series }: SeriesValue, style: ChartStyle): Ends {
  const most = style.width * END_SHARE;
  const parts = series.map(({ name, values }) => {
    const last = lastOf(values);
    return { name, value: last === undefined ? "–" : style.write(last) };
  });
  const widest = Math.max(...parts.map(({ name, value }) => emsOf(name === "" ? value : `${name} ${value}`)));
  const least = Math.min(style.end, style.size * 1.2);
  const size = Math.floor(Math.max(least, Math.min(style.end, most / widest, (style.height * 0.8) / series.length)));
  const texts = parts.map(({ name, value }) => {
    const shown = name === "" ? "" : style.shorten(name, size, most - emsOf(` ${value}`) * size + 1);
    return [shown, value].filter(Boolean).join(" ");
  });
  return { texts, size, room: Math.max(...texts.map((text) => emsOf(text))) * size + size * 0.4 + style.stroke };
}

type Axis = { y: ScaleLinear<number, number>; ticks: number[]; step: number | undefined; left: number };

/** The rules of the vertical axis, with their numbers in a column before them. */
function axisOf(y: ScaleLinear<number, number>, { size, write, stroke }: ChartStyle): Axis {
  const [bottom = 0, top = 0] = y.range();
  const ticks = y.ticks(Math.max(2, Math.min(4, Math.floor((bottom - top) / (size * 3)))));
  const [first, second] = ticks;
  const step = first === undefined || second === undefined ? undefined : Math.abs(second - first);
  const widest = Math.max(...ticks.map((tick) => emsOf(write(tick, step))));
  return { y, ticks, step, left: widest * tickSize(size) + size * 0.6 + stroke };
}

const tickSize = (size: number) => Math.round(size * 0.85);

function writeAxis({ y, ticks, step, left }: Axis, right: number, style: ChartStyle): string {
  const size = tickSize(style.size);
  const room = left - style.stroke - size * 0.3;
  return ticks
    .map((tick) => {
      const isZero = tick === 0;
      const color = isZero ? style.quiet : style.rule;
      const rule = writeRule(y(tick), { from: left - style.stroke, to: right, color, width: isZero ? 2 : 1 });
      return (
        rule +
        writeLabel({ x: 0, y: y(tick) + size * 0.35, text: style.write(tick, step), size, color: style.quiet, room })
      );
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
