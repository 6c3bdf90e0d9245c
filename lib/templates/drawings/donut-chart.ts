import { arc, pie } from "d3-shape";
import type { SeriesValue } from "../fields/series.ts";
import { type ChartStyle, emsOf, nameWithValue, writeChart, writeLabel } from "./chart-style.ts";
import type { DrawingLoss } from "./drawing.ts";
import { spread } from "./line-chart.ts";

/** Slices beyond this many would share colours, so the smallest are one. */
const MAX_SLICES = 6;

type Slice = { label: string; value: number };

function slicesOf({ labels, series }: SeriesValue): Slice[] {
  const values = series[0]?.values ?? [];
  const slices = values.flatMap((value, at) => (value !== null && value > 0 ? { label: labels[at] ?? "", value } : []));
  if (slices.length <= MAX_SLICES) return slices;
  const sorted = slices.toSorted((a, b) => b.value - a.value);
  const rest = sorted.slice(MAX_SLICES - 1).reduce((sum, { value }) => sum + value, 0);
  return [...sorted.slice(0, MAX_SLICES - 1), { label: "…", value: rest }];
}

/** What a ring cannot show: numbers below zero, and further series. Those that are missing are no loss, and zero is a part without a size. */
export function donutLoss(value: SeriesValue): DrawingLoss | undefined {
  const [first, ...others] = value.series.map(({ values }) => values.filter((number) => number !== null));
  const shown = first?.filter((number) => number >= 0).length ?? 0;
  const of = [first ?? [], ...others].reduce((sum, { length }) => sum + length, 0);
  const hint = "because a ring has the parts of one series, from zero up";
  return shown < of ? { code: "field_ignored", value, shown, of, unit: "numbers", hint } : undefined;
}

type Wanted = { label: string; number: string; size: number; room: number; style: ChartStyle };

/** A name with its number. The name is shortened, the number never is. */
function labelOf({ label, number, size, room, style }: Wanted): string {
  const name = style.shorten(label, size, room - emsOf(` ${number}`) * size);
  return nameWithValue(name, number);
}

/** The least distance of the lines of labels, in ems. */
const LINE = 1.2;

/** The share of the width that the ring may have beside its labels. */
const RING_SHARE = 0.6;

/**
 * The parts of a whole as a ring, with a label at each. Missing and negative values are no parts. Without labels there is
 * the ring alone, as large as the picture.
 */
export function drawDonut(value: SeriesValue, style: ChartStyle): string {
  const { width, height, hasLabels } = style;
  const slices = slicesOf(value);
  // Labels that have no line each would stand on each other.
  const size = Math.min(style.size, Math.floor((height / Math.max(1, slices.length) / LINE) * 100) / 100);
  const radius = Math.min(height, hasLabels ? width * RING_SHARE : width) / 2 - 2;
  const [centre, middle] = [radius + 2, height / 2];
  const ring = arc<{ startAngle: number; endAngle: number }>()
    .innerRadius(radius * 0.6)
    .outerRadius(radius)
    .padAngle(slices.length > 1 ? 3 / radius : 0)
    .digits(2);
  const angles = pie<Slice>()
    .sort(null)
    .value((slice) => slice.value)(slices);
  const shapes = angles.map(
    (angle, index) =>
      `<path d="${ring(angle) ?? ""}" fill="${style.colorOf(index)}" transform="translate(${centre} ${middle})"/>`,
  );
  if (!hasLabels) return writeChart("donut", style, shapes.join(""));
  const left = centre + radius + size * 1.2;
  const room = width - left - size * 1.2;
  const leading = Math.min(size * 1.7, (height - size) / Math.max(1, slices.length));
  const first = middle - ((slices.length - 1) * leading) / 2;
  const rows = spread(
    slices.map(({ label, value: number }, index) => ({
      y: first + index * leading,
      text: labelOf({ label, number: style.write(number), size, room, style }),
      color: style.colorOf(index),
    })),
    { line: leading, top: size, bottom: height - size * 0.3 },
  );
  const labels = rows.map(({ y, text, color }) => {
    const swatch = `<rect x="${left}" y="${(y - size * 0.4).toFixed(2)}" width="${size * 0.8}" height="${size * 0.8}" fill="${color}"/>`;
    return swatch + writeLabel({ x: left + size * 1.2, y: y + size * 0.35, text, size, color: style.ink, room });
  });
  const total = style.write(slices.reduce((sum, { value: number }) => sum + number, 0));
  const inner = radius * 1.05;
  const totalSize = Math.floor(Math.min(style.end * 1.6, inner / Math.max(1, emsOf(total))));
  const sum = writeLabel({
    x: centre,
    y: middle + totalSize * 0.35,
    text: total,
    size: totalSize,
    color: style.ink,
    anchor: "middle",
    weight: 700,
    room: inner,
  });
  return writeChart("donut", style, [...shapes, ...labels, sum].join(""));
}
