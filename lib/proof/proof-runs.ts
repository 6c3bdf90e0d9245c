import { AppError } from "#lib/errors.ts";
import { explainFileFault } from "#lib/file-faults.ts";
import { FairTurns } from "#lib/images/fair-turns.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import type { ProofReport } from "#lib/schemas/proof.ts";
import { findTemplate } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";
import { keepProof, prepareKeeping, proofKey, readKeptProof } from "./kept-proof.ts";
import { runProof } from "./run.ts";

/** One picture at a time: a proof takes one place in the queue, and leaves the browsers to requests. */
const CONCURRENCY = 1;

/** The estimate of how long a proof takes, in milliseconds. */
const PROOF_MS = 120_000;

type Run = {
  progress: { done: number; of: number };
  /** Who has asked for it. It begins at the first turn that one of them gets. */
  callers: Set<string>;
  /** Aborts when it has ended, so that nobody waits for a turn any more. */
  ended: AbortController;
};

type Runs = {
  /** One run at a time. Callers take turns, because all proofs of one caller take an hour. */
  turns: FairTurns;
  /** By slug. */
  active: Map<string, Run>;
  failures: Map<string, string>;
};

const runs = processState(
  "proof-runs",
  (): Runs => ({ turns: new FairTurns({ places: 1 }), active: new Map(), failures: new Map() }),
);

function failureOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const reason = explainFileFault(error);
  log().error(reason === undefined ? { err: error } : { reason }, "A proof failed.");
  return "The proof failed. The log of the service has the reason.";
}

async function proveAndKeep(template: Template, run: Run): Promise<void> {
  const { active, failures } = runs.get();
  try {
    await prepareKeeping(template);
    const verdicts = await runProof([template], {
      concurrency: CONCURRENCY,
      onJudged: (_judged, progress) => void Object.assign(run.progress, progress),
    });
    await keepProof(template, verdicts);
  } catch (error) {
    failures.set(template.slug, failureOf(error));
  } finally {
    active.delete(template.slug);
    run.ended.abort();
  }
}

/** Gives a caller a turn for a run. The first turn of any caller begins it, and its end ends the wait of all others. */
function join(template: Template, run: Run, caller: string): void {
  if (run.callers.has(caller)) return;
  run.callers.add(caller);
  const turn = { signal: run.ended.signal, costMs: PROOF_MS };
  void runs
    .get()
    .turns.run(caller, () => proveAndKeep(template, run), turn)
    // Only waiting can fail: the proof of another caller's turn has ended.
    .catch(() => undefined);
}

async function reportOf(template: Template): Promise<ProofReport> {
  const { active, failures } = runs.get();
  const kept = await readKeptProof(template);
  return {
    template: template.slug,
    run: active.get(template.slug)?.progress ?? null,
    failure: failures.get(template.slug) ?? null,
    kept: kept
      ? {
          finishedAt: kept.finishedAt,
          isCurrent: kept.key === (await proofKey(template)),
          pictures: kept.pictures,
          faulty: kept.faulty.map(({ variant, content, data, faults }) => ({ variant, content, data, faults })),
        }
      : null,
  };
}

/** The proof of a template. @throws AppError `unknown_template` */
export async function readProof(slug: string): Promise<ProofReport> {
  return await reportOf(await findTemplate(slug));
}

/**
 * Starts a proof in the background, unless one of this template waits or is under way. One that waits begins at the turn of the first
 * caller who has asked for it. @throws AppError `unknown_template`
 */
export async function startProof(slug: string, caller: string): Promise<ProofReport> {
  const template = await findTemplate(slug);
  const { active, failures } = runs.get();
  const run = active.get(slug) ?? { progress: { done: 0, of: 0 }, callers: new Set(), ended: new AbortController() };
  if (!active.has(slug)) failures.delete(slug);
  active.set(slug, run);
  join(template, run, caller);
  return await reportOf(template);
}
