import { renderConfig } from "#lib/config.ts";
import { buildFonts } from "#lib/fonts/build.ts";
import { startWorker } from "#lib/render/chromium/start-worker.ts";
import type { Worker } from "#lib/render/chromium/worker.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";

/** Renders what its parent process requests, with as many browsers as the service has, but without HTTP, checks or PNG encoding. */
type CardRequest = { card: string; title: string };

const send = process.send?.bind(process) as (message: { title: string; png: Uint8Array }) => void;
const requests: CardRequest[] = [];
let wake = Promise.withResolvers<void>();
let isOver = false;

buildFonts();
const { templates } = await compileRegistry("scripts/bench/templates");

function documentOf({ card, title }: CardRequest) {
  const template = templates.find(({ slug }) => slug === `bench/${card}`);
  if (!template) throw new Error(`Got the card "${card}", want a template in scripts/bench/templates/bench.`);
  return composeDocument(template, { title });
}

async function work(worker: Worker): Promise<void> {
  while (!isOver) {
    const request = requests.shift();
    if (!request) {
      await wake.promise;
      continue;
    }
    const { png } = await worker.render(documentOf(request), { signal: AbortSignal.timeout(10_000), stamp: () => {} });
    send({ title: request.title, png });
    await worker.clean();
  }
  await worker.close();
}

function wakeAll(): void {
  wake.resolve();
  wake = Promise.withResolvers();
}

process.on("message", (request: CardRequest) => {
  requests.push(request);
  wakeAll();
});
process.on("disconnect", () => {
  isOver = true;
  wakeAll();
});

const config = renderConfig();
for (let count = 0; count < config.workers; count++)
  void work(await startWorker(config, { signal: AbortSignal.timeout(30_000) }));
