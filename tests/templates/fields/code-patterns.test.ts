import { on } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { PROJECT_DIR } from "#lib/config.ts";
import { TOKEN_KINDS } from "#lib/templates/drawings/code-languages.ts";
import type { HighlightAnswer, HighlightOrder } from "#lib/templates/drawings/highlight-thread.ts";

const THREAD = join(PROJECT_DIR, "lib/templates/drawings/highlight-thread.ts");

const PIECES = 230;
const BLOCKS = 100;

/** Blocks of a shell script, each with a name that no other has. */
const piece = (at: number) =>
  Array.from({ length: BLOCKS }, (_, block) => `cat <<UNIQUE${at}X${block}Y\nx\nUNIQUE${at}X${block}Y`).join("\n");

test("code whose blocks end with ever new names leaves a bounded number of them in its thread", async () => {
  const worker = new Worker(THREAD);
  onTestFinished(async () => void (await worker.terminate()));
  const answers = on(worker, "message");
  for (let id = 0; id < PIECES; id++)
    worker.postMessage({ id, text: piece(id), language: "bash", kinds: TOKEN_KINDS } satisfies HighlightOrder);
  let coloured = 0;
  for await (const [answer] of answers as AsyncIterable<[HighlightAnswer]>) {
    expect(answer).not.toHaveProperty("error");
    if ("lines" in answer && ++coloured === PIECES) break;
  }
  const heap = await text(await worker.getHeapSnapshot());
  const kept = new Set(heap.match(/UNIQUE\d+X\d+Y/g));
  expect(kept.size).toBeGreaterThan(0);
  expect(kept.size).toBeLessThan((PIECES * BLOCKS) / 8);
});
