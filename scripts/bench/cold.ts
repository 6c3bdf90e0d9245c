import { performance } from "node:perf_hooks";
import { drawByPlaten, startPlaten } from "./contenders.ts";
import { median } from "./load.ts";

/** Milliseconds from the start of `npm start` of a built tree, its browser unpacked, to the last byte of the first picture. */
async function startOnce(title: string): Promise<number> {
  const startedAt = performance.now();
  const server = await startPlaten("balanced", "/healthz");
  try {
    await drawByPlaten(server)("gradient", title);
    return performance.now() - startedAt;
  } finally {
    await server.end();
  }
}

/** Starts the service again and again, and says how long each first picture took. The first start is not counted: it may build. */
export async function measureColdStarts(starts: number): Promise<{ ms: number[]; medianMs: number }> {
  await startOnce("warm");
  const ms: number[] = [];
  for (let start = 0; start < starts; start++) ms.push(Math.round(await startOnce(`Start ${start}`)));
  return { ms, medianMs: median(ms) };
}
