import { renderConfig } from "#lib/config.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { startWorker } from "#lib/render/chromium/start-worker.ts";
import type { Worker } from "#lib/render/chromium/worker.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";

/** A request of the parent process. This process renders with as many browsers as a server has, without HTTP or a queue. */
type Ask = { card: string; title: string };

const send = process.send?.bind(process) as (message: { title: string; png: Uint8Array }) => void;
const asked: Ask[] = [];
let wake = Promise.withResolvers<void>();
let isOver = false;

buildFonts();
const { templates } = await compileRegistry("scripts/bench/templates");

function documentOf({ card, title }: Ask) {
  const template = templates.find(({ slug }) => slug === `bench/${card}`);
  if (!template) throw new Error(`There is no card "${card}".`);
  return composeDocument(template, { title });
}

async function work(worker: Worker): Promise<void> {
  while (!isOver) {
    const ask = asked.shift();
    if (!ask) {
      await wake.promise;
      continue;
    }
    const { png } = await worker.render(documentOf(ask), { signal: AbortSignal.timeout(10_000), stamp: () => {} });
    send({ title: ask.title, png });
    await worker.clean();
  }
  await worker.close();
}

function wakeAll(): void {
  wake.resolve();
  wake = Promise.withResolvers();
}

process.on("message", (ask: Ask) => {
  asked.push(ask);
  wakeAll();
});
process.on("disconnect", () => {
  isOver = true;
  wakeAll();
});

const config = renderConfig();
for (let count = 0; count < config.workers; count++)
  void work(await startWorker(config, { signal: AbortSignal.timeout(30_000) }));
