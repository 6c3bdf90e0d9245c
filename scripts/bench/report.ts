import { CARDS, type CardName, median, type Round } from "./load.ts";

/** The rounds of a contender. */
export type Result = { name: string; note: string; rounds: Record<CardName, Round[]> };

export type Row = { name: string; note: string } & Record<
  CardName,
  { perSecond: number; medianMs: number; bytes: number }
>;

/** Medians over the rounds. */
export function summarize({ name, note, rounds }: Result): Row {
  const of = (card: CardName) => ({
    perSecond: median(rounds[card].map(({ perSecond }) => perSecond)),
    medianMs: median(rounds[card].map(({ medianMs }) => medianMs)),
    bytes: median(rounds[card].map(({ bytes }) => bytes)),
  });
  return { name, note, gradient: of("gradient"), flat: of("flat") };
}

/** The rates, and their ratios to those of other contenders. Noise of the machine changes a rate more than a ratio. */
export function tableOf(rows: Row[]): Record<string, string | number>[] {
  return rows.map((row) => ({
    contender: `${row.name} (${row.note})`,
    ...Object.fromEntries(
      CARDS.flatMap((card) => {
        const { perSecond, medianMs, bytes } = row[card];
        const against = (name: string) => {
          const other = rows.find((candidate) => candidate.name === name)?.[card].perSecond;
          return other ? `${(perSecond / other).toFixed(2)}×` : "";
        };
        return [
          [`${card}/s`, Number(perSecond.toFixed(1))],
          [`${card} ms`, Number(medianMs.toFixed(1))],
          [`${card} kB`, Math.round(bytes / 1_000)],
          [`${card} / new page`, against("puppeteer, new page")],
          [`${card} / next/og`, against("next/og")],
          [`${card} / Takumi`, against("Takumi")],
          [`${card} / bare`, against("bare workers")],
        ];
      }),
    ),
  }));
}
