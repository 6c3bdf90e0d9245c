import { setTimeout } from "node:timers/promises";
import { AppError } from "#lib/errors.ts";
import type { Template } from "#lib/templates/template.ts";
import { type Cell, reducedGrid, wholeGrid } from "./grid/grid.ts";
import { type Judged, judge, type Verdict } from "./judge.ts";

/** Renders of a proof share one place among the callers of the queue. */
const PROOF_CALLER = "proof";

/** How long a proof waits when the queue is full and does not say for how long. */
const WAIT_SECONDS = 1;

export type ProofOptions = {
  /** Pictures drawn at a time. */
  concurrency: number;
  /** Each kind of content with two templates only. See {@link reducedGrid}. */
  isReduced?: boolean;
  /** Only pictures whose "variant/content" contains this text. */
  only?: string | undefined;
  signal?: AbortSignal;
  /** Called after each picture, in the order in which they are finished. */
  onJudged?: (judged: Judged, progress: { done: number; of: number }) => void | Promise<void>;
};

/** Judges a picture, after waiting for a full queue as often as necessary. */
async function judgeInTurn(cell: Cell, signal: AbortSignal | undefined): Promise<Judged> {
  for (;;) {
    try {
      return await judge(cell, { caller: PROOF_CALLER, signal });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "overloaded") throw error;
      const seconds = Number(error.headers?.["Retry-After"] ?? WAIT_SECONDS);
      await setTimeout(seconds * 1_000, undefined, { signal });
    }
  }
}

/**
 * Draws the grid of each template and judges every picture. @returns the verdicts in the order of the grid
 * @throws the signal's reason, or AppError when pictures cannot be drawn
 */
export async function runProof(templates: Template[], options: ProofOptions): Promise<Verdict[]> {
  const { concurrency, isReduced = false, only = "", signal, onJudged } = options;
  const grid = isReduced ? await reducedGrid(templates) : (await Promise.all(templates.map(wholeGrid))).flat();
  const cells = grid.filter(({ variant, content }) => `${variant}/${content}`.includes(only));
  const verdicts: Verdict[] = [];
  const waiting = cells.entries();
  let done = 0;
  const work = async () => {
    for (const [index, cell] of waiting) {
      signal?.throwIfAborted();
      const judged = await judgeInTurn(cell, signal);
      verdicts[index] = judged.verdict;
      await onJudged?.(judged, { done: ++done, of: cells.length });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return verdicts;
}
