import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { sharp } from "#lib/sharp.ts";
import { noteProof } from "./chromium/browser-description.ts";
import type { RenderJob } from "./chromium/page.ts";
import type { Pool } from "./queue/render-pool.ts";

/** Platen's blue, and a size that no template has. */
const COLOR = { hex: "#1d4ed8", channels: [0x1d, 0x4e, 0xd8] };
const SIDE_PX = 16;

const JOB: RenderJob = {
  html: `<!doctype html><title>canary</title><body style="margin:0;background:${COLOR.hex}">`,
  width: SIDE_PX,
  height: SIDE_PX,
};

/** Whose turn the canary takes, so that it waits behind no crowd. */
const CALLER = "readiness";

async function drawCanary(pool: Pool, config: RenderConfig): Promise<void> {
  const { png } = await pool.render(async () => JOB, { config, caller: CALLER });
  const pixels = await sharp(png).removeAlpha().raw().toBuffer();
  const wanted = COLOR.channels;
  if (pixels.some((value, index) => value !== wanted[index % wanted.length])) {
    throw new AppError("render_failed", "The browser draws pictures that are not what was asked for.");
  }
}

/**
 * Draws a small picture for real and looks at its pixels.
 * @throws AppError when none comes in time, or it is not the picture that was asked for
 */
export async function renderCanary(pool: Pool, config: RenderConfig): Promise<void> {
  const startedAt = performance.now();
  const note = (fault?: string) => noteProof({ at: new Date(), ms: performance.now() - startedAt, fault });
  try {
    await drawCanary(pool, config);
    note();
  } catch (error) {
    note(error instanceof AppError ? error.message : "It failed unexpectedly.");
    throw error;
  }
}
