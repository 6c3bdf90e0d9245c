import type { Fault } from "#lib/proof/fault.ts";
import type { ExaminedPage } from "#lib/proof/page/examine.ts";
import { boxAround, type TextUnit } from "#lib/proof/page/text-unit.ts";

/** A number that goes on at the next line: digits on both sides, with at most a decimal or grouping mark between them. */
const DIVIDED = /\p{Nd}[.,'’٫٬]?$/u;
const GOES_ON = /^[.,'’٫٬]?\p{Nd}/u;

/** The two lines of a text between which a number is divided. Emergency breaks do that, where a number is wider than its box. */
function dividedAt({ glyphs, text, breaks = [] }: TextUnit): [string, string] | undefined {
  const lines = [...Map.groupBy(glyphs, ({ line }) => line).values()].map((line) => ({
    shown: line.map((glyph) => glyph.text).join(""),
    start: line[0]?.at ?? 0,
    end: (line.at(-1)?.at ?? 0) + (line.at(-1)?.text.length ?? 0),
  }));
  const index = lines.findIndex(({ shown, end }, at) => {
    const next = lines[at + 1];
    if (!next || breaks.includes(next.start)) return false;
    return text.slice(end, next.start) === "" && DIVIDED.test(shown) && GOES_ON.test(next.shown);
  });
  const [first, next] = [lines[index], lines[index + 1]];
  return first && next && [first.shown, next.shown];
}

/** Numbers that are divided between two lines, which reads as two numbers. */
export function numberFaults({ units }: ExaminedPage): Fault[] {
  return units.flatMap((unit) => {
    const lines = dividedAt(unit);
    if (!lines) return [];
    const message = `A number is divided between "${lines[0].slice(-20)}" and "${lines[1].slice(0, 20)}".`;
    return [{ kind: "divided-number", field: unit.field, message, box: boxAround(unit.glyphs.map(({ box }) => box)) }];
  });
}
