import { once } from "node:events";
import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { PROJECT_DIR } from "#lib/config.ts";
import { TOKEN_KINDS } from "#lib/templates/drawings/code-languages.ts";
import { highlightFiles } from "#lib/templates/drawings/grammar-files.ts";
import type { HighlightOrder } from "#lib/templates/drawings/highlight-thread.ts";

test("the thread that colours code needs no other files than those that a deployment gets for it", async () => {
  const dir = mkdtempSync(join(tmpdir(), "platen-code-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const files = highlightFiles().flatMap((pattern) => globSync(pattern, { cwd: PROJECT_DIR }));
  for (const file of [...files, "package.json"]) cpSync(join(PROJECT_DIR, file), join(dir, file));
  const worker = new Worker(join(dir, "lib/templates/drawings/highlight-thread.ts"));
  onTestFinished(async () => void (await worker.terminate()));
  const order = { id: 1, text: "echo $HOME", language: "bash", kinds: TOKEN_KINDS };
  worker.postMessage(order satisfies HighlightOrder);
  expect(await once(worker, "message")).toEqual([{ id: 1, isLoaded: true }]);
  expect(await once(worker, "message")).toMatchObject([{ id: 1, lines: [expect.anything()] }]);
});
