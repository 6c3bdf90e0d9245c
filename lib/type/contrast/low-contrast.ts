import { decodePixels } from "#lib/images/decode-pixels.ts";
import { mapInPieces } from "#lib/slices.ts";
import { isUnclear, knownContrast, needOf } from "./known-contrast.ts";
import { areaOf, otherColor, type Tally, tallyPixels, thinningOf } from "./pixel-contrast.ts";
import type { Recoloring } from "./survey.ts";
import type { TextRun } from "./text-run.ts";

/** The contrast of black and white. */
const MAX_RATIO = 21;

/** How readable one run is. */
export type RunContrast = {
  field: string;
  text: string;
  /** The part of it with too little contrast, from 0 to 1, and whether that is more than the run tolerates. */
  share: number;
  isLow: boolean;
  /** The contrast of that part, and the wanted one. */
  ratio: number;
  want: number;
  /** Square pixels of its line boxes. */
  area: number;
};

/** Emoji have colours of their own. The pattern is not a constant, because it takes 10 ms to read. */
function isJudged({ text }: TextRun): boolean {
  return text.replace(/\p{RGI_Emoji}|\s/gv, "") !== "";
}

function isSeen(run: TextRun): boolean {
  return isJudged(run) && isUnclear(run);
}

/** How the second picture draws the runs that only a picture can judge: see {@link tallyPixels}. */
export async function recolorUnclear(runs: TextRun[]): Promise<Recoloring> {
  const colors = await mapInPieces(runs, (run): Recoloring => (isSeen(run) ? [[run.id, otherColor(run)]] : []));
  return colors.flat();
}

type Drawn = {
  png: Buffer;
  /** The picture with the colours of {@link recolorUnclear}. Without it, the unclear runs are left out. */
  recolored?: Buffer | undefined;
};

/** Judges the runs of a picture. @throws when a picture cannot be decoded */
export async function judgeContrast(runs: TextRun[], { png, recolored }: Drawn): Promise<RunContrast[]> {
  const pictures = recolored ? await Promise.all([png, recolored].map(decodePixels)) : [];
  const [drawn, other] = pictures;
  const unclear = await mapInPieces(runs, isUnclear);
  const thinning = thinningOf(runs.filter((_, index) => unclear[index]));
  const tallyOf = (run: TextRun, index: number): Tally | undefined => {
    if (unclear[index]) return drawn && other && tallyPixels(run, { drawn, other, thinning });
    const { least } = knownContrast(run) ?? { least: MAX_RATIO };
    return { ink: 1, failing: least < needOf(run).ratio ? 1 : 0, ratios: least };
  };
  const judged = await mapInPieces(runs, (run, index): RunContrast[] => {
    const tally = isJudged(run) ? tallyOf(run, index) : undefined;
    if (!tally || tally.ink === 0) return [];
    const { ratio: want, toleratedShare } = needOf(run);
    const share = tally.failing / tally.ink;
    const ratio = share > 0 ? tally.ratios / tally.failing : want;
    const { field, text } = run;
    return [{ field, text, share, isLow: share > toleratedShare, ratio, want, area: areaOf(run) }];
  });
  return judged.flat();
}
