import { type NumberStyle, SMALLEST, writeNumber } from "#lib/type/text/numbers.ts";
import type { SeriesValue } from "../fields/series.ts";

/** The most digits after the point of a compact number. It is written no longer than it is, as in 1.25K. */
const COMPACT_DIGITS = 6;
/** The most digits after the point of other numbers of an axis. Beyond, doubles are not exact. */
const MOST_DIGITS = 14;
/** The most digits after the point of 1.25E-9. */
const EXPONENT_DIGITS = 12;

/** The style of the numbers of an axis: with the digits that tell each from the next one. */
function tickStyle(style: NumberStyle, step: number): NumberStyle {
  if (style.isScientific) return { ...style, digits: EXPONENT_DIGITS };
  if (style.format === "compact") return { ...style, digits: COMPACT_DIGITS };
  const needed = -Math.floor(Math.log10(step) + 1e-9) - (style.format === "percent" ? 2 : 0);
  const digits = Math.min(MOST_DIGITS, Math.max(needed, style.digits ?? 0));
  return style.digits !== undefined || needed > 2 ? { ...style, digits } : style;
}

type ChartNumbers = { write(value: number): string; writeTicks(ticks: number[]): string[] };

/** Writes the numbers of a chart. Where all of them would be written as 0, they have an exponent. */
export function chartNumbers(
  wanted: NumberStyle,
  { value, language }: { value: SeriesValue; language: string },
): ChartNumbers {
  const most = Math.max(...value.series.flatMap(({ values }) => values.map((number) => Math.abs(number ?? 0))));
  const own = most > 0 && most < SMALLEST ? { ...wanted, isScientific: true } : wanted;
  const writeIn = (style: NumberStyle) => (number: number) =>
    writeNumber(number, style.isScientific && number === 0 ? { ...wanted, digits: 0 } : style, language)
      .map(({ text }) => text)
      .join("");
  return {
    write: writeIn(own),
    writeTicks(ticks) {
      const [first, second] = ticks;
      if (first === undefined || second === undefined) return ticks.map(writeIn(own));
      const step = Math.abs(second - first);
      const texts = ticks.map(writeIn(tickStyle(own, step)));
      if (own.format !== "compact" || new Set(texts).size === texts.length) return texts;
      // Compact numbers do not tell 1,000,000,000,002 from 1,000,000,000,004.
      return ticks.map(writeIn(tickStyle({ ...own, format: "decimal" }, step)));
    },
  };
}
