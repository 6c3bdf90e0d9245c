import { encodePng } from "#lib/render/encode-png.ts";
import type { Screenshot } from "#lib/render/render-job.ts";
import type { Prepared } from "./fair-queue.ts";

/** Compresses the picture of a render, and answers with it. @throws what the encoder throws */
export async function encodePicture({ task, job }: Prepared, { png: screenshot, ...rest }: Screenshot): Promise<void> {
  const { png: configured, browserWs } = task.config;
  const chosen = job.effort ?? configured;
  // A remote browser's bytes are never passed on as they are: they are decoded and encoded again.
  const effort = browserWs && chosen === "fast" ? "balanced" : chosen;
  const png = await encodePng(screenshot, { ...job, effort });
  task.stamp("encode");
  task.resolve({ png, ...rest, timings: task.timings });
}
