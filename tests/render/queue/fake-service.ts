import sharp from "sharp";
import { onTestFinished } from "vitest";
import { Rendering } from "#lib/render/render.ts";
import { FakeBrowsers, jobNamed, settle, watch } from "./fake-browsers.ts";

export const READY = { ok: true };

/** For how long a success proves that rendering works, in milliseconds. */
export const RECENT_MS = 4_000;

/** The picture of a probe. */
export async function probePicture(): Promise<Buffer> {
  const size = { width: 16, height: 16 };
  return await sharp({ create: { ...size, channels: 3, background: "#1d4ed8" } })
    .png()
    .toBuffer();
}

/** A service with one fake browser, which has passed its first probe. It ends with the test. */
export async function startService() {
  const browsers = new FakeBrowsers();
  const clock = { now: 0 };
  const rendering = new Rendering({ startWorker: browsers.startWorker, now: () => clock.now });
  onTestFinished(async () => {
    browsers.finishAll();
    await rendering.stop();
  });
  const drawn = browsers.picture;
  const blue = await probePicture();
  browsers.picture = (job) => (job.width === 16 ? blue : drawn(job));
  browsers.finishAll();
  await rendering.start();
  await settle();
  const probes = () => browsers.names.filter((name) => name.includes("probe")).length;
  const render = (name: string, caller = "") => watch(rendering.render(async () => jobNamed(name), { caller }));
  return { browsers, rendering, clock, probes, render };
}
