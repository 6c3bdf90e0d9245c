import { createHash } from "node:crypto";
import { treeBytes } from "#lib/render/chromium/memory-watch.ts";
import { rendering } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";

/** Renders between two samples of the memory. */
const SAMPLE_EVERY = 5;

/** Renders under way at once: for each of two browsers, one that is rendered and one that waits. */
const CONCURRENCY = 4;

export type Sample = { renders: number; serverBytes: number; browserBytes: number };

export type Outcome = {
  renders: number;
  failures: string[];
  /** Inputs whose renders differed in bytes. */
  differing: string[];
  seconds: number;
  samples: Sample[];
  /** Process numbers of all browsers of the round. */
  browsers: Set<number>;
};

const pids = () => rendering.get().pids;

function sample(outcome: Outcome): void {
  for (const pid of pids()) outcome.browsers.add(pid);
  if (outcome.renders % SAMPLE_EVERY > 0) return;
  const browserBytes = pids().reduce((sum, pid) => sum + treeBytes(pid), 0);
  outcome.samples.push({ renders: outcome.renders, serverBytes: process.memoryUsage.rss(), browserBytes });
}

/**
 * Renders `count` pictures, four at a time, taking the inputs in turn.
 * @param digests the digest of each input's first picture, kept from round to round
 * @param onRender is called after each picture with the number of finished ones
 */
export async function drawMany(
  inputs: RenderRequest[],
  { count, digests, onRender }: { count: number; digests: Map<string, string>; onRender?: (renders: number) => void },
): Promise<Outcome> {
  const outcome: Outcome = { renders: 0, failures: [], differing: [], seconds: 0, samples: [], browsers: new Set() };
  const startedAt = performance.now();
  let next = 0;
  const drawNext = async () => {
    const input = inputs[next++ % inputs.length] as RenderRequest;
    const name = `${input.template} ${input.variant}`;
    try {
      const { png } = await renderTemplate(input);
      const digest = createHash("sha256").update(png).digest("hex");
      if ((digests.get(name) ?? digest) !== digest) outcome.differing.push(name);
      digests.set(name, digest);
    } catch (error) {
      outcome.failures.push(`${name}: ${error}`);
    }
    outcome.renders++;
    sample(outcome);
    onRender?.(outcome.renders);
  };
  const client = async () => {
    while (next < count) await drawNext();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
  outcome.seconds = (performance.now() - startedAt) / 1_000;
  return outcome;
}
