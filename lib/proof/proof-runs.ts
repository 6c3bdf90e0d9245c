import pLimit from "p-limit";
import { AppError } from "#lib/errors.ts";
import { explainFileFault } from "#lib/file-faults.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import type { ProofReport } from "#lib/schemas/proof.ts";
import { findTemplate } from "#lib/templates/registry.ts";
import type { Template } from "#lib/templates/template.ts";
import { keepProof, prepareKeeping, proofKey, readKeptProof } from "./kept-proof.ts";
import { runProof } from "./run.ts";

/** One picture at a time: a proof takes one place in the queue, and leaves the browsers to requests. */
const CONCURRENCY = 1;

type Run = { done: number; of: number };

type Runs = {
  /** One run at a time; the others wait. */
  limit: ReturnType<typeof pLimit>;
  /** By slug. */
  active: Map<string, Run>;
  failures: Map<string, string>;
};

const runs = processState("proof-runs", (): Runs => ({ limit: pLimit(1), active: new Map(), failures: new Map() }));

function failureOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const reason = explainFileFault(error);
  log().error(reason === undefined ? { err: error } : { reason }, "A proof failed.");
  return "The proof failed. The log of the service has the reason.";
}

async function proveAndKeep(template: Template, run: Run): Promise<void> {
  const { active, failures } = runs.get();
  try {
    prepareKeeping(template);
    const verdicts = await runProof([template], {
      concurrency: CONCURRENCY,
      onJudged: (_judged, progress) => void Object.assign(run, progress),
    });
    await keepProof(template, verdicts);
  } catch (error) {
    failures.set(template.slug, failureOf(error));
  } finally {
    active.delete(template.slug);
  }
}

async function reportOf(template: Template): Promise<ProofReport> {
  const { active, failures } = runs.get();
  const kept = await readKeptProof(template);
  return {
    template: template.slug,
    run: active.get(template.slug) ?? null,
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

/** Starts a proof in the background, unless one of this template waits or is under way. @throws AppError `unknown_template` */
export async function startProof(slug: string): Promise<ProofReport> {
  const template = await findTemplate(slug);
  const { limit, active, failures } = runs.get();
  if (!active.has(slug)) {
    const run: Run = { done: 0, of: 0 };
    active.set(slug, run);
    failures.delete(slug);
    void limit(() => proveAndKeep(template, run));
  }
  return await reportOf(template);
}
