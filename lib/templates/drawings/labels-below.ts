import { type ChartStyle, emsOf, shorten, writeLabel } from "./chart-style.ts";

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
