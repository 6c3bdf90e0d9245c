import { AppError } from "#lib/errors.ts";
import { sharp } from "#lib/sharp.ts";
import type { RenderJob } from "./render-job.ts";
import { LATE_SUCCESS_MS, RECENT_SUCCESS_MS } from "./render-limits.ts";

/** Platen's blue, and a size that no template has. */
const COLOR = { hex: "#1d4ed8", channels: [0x1d, 0x4e, 0xd8] };
const SIDE_PX = 16;

/** The caller that probes count as, so that they wait behind no other caller's renders. */
export const PROBE_CALLER = "readiness";

const PROBE_JOB: RenderJob = {
  html: `<!doctype html><title>probe</title><body style="margin:0;background:${COLOR.hex}">`,
  width: SIDE_PX,
  height: SIDE_PX,
};

/** A small picture that was rendered only to find out whether rendering works. */
export type Probe = {
  at: Date;
  ms: number;
  /** Why it failed; undefined when it did not. */
  fault: string | undefined;
};

async function requireProbePixels(png: Buffer): Promise<void> {
  const pixels = await sharp(png).removeAlpha().raw().toBuffer();
  const wanted = COLOR.channels;
  if (pixels.some((value, index) => value !== wanted[index % wanted.length])) {
    throw new AppError("render_failed", "The browser's picture does not show what the document describes.");
  }
}

/** Tracks whether rendering works: the time of the last success, and the last probe. */
export class Readiness {
  readonly #now: () => number;
  /** Negative infinity before the first success. */
  #succeededAt = Number.NEGATIVE_INFINITY;
  #isDoubted = true;
  #lastProbe: Probe | undefined;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** True when the last success is recent and {@link markUnproven} was not called since. */
  get isProven(): boolean {
    return this.isUndoubted && this.hasJustSucceeded;
  }

  /** True when {@link markUnproven} was not called since the last success, however long ago that is. */
  get isUndoubted(): boolean {
    return !this.#isDoubted;
  }

  /** True when the last success is recent, whatever has failed since: one document may end each browser that draws it. */
  get hasJustSucceeded(): boolean {
    return this.#now() - this.#succeededAt < RECENT_SUCCESS_MS;
  }

  /** Like {@link isUndoubted}, and the last success is not long ago: time enough for the longest render of most services. */
  get hasSucceededLately(): boolean {
    return this.isUndoubted && this.#now() - this.#succeededAt < LATE_SUCCESS_MS;
  }

  /** The last probe; undefined before the first. */
  get lastProbe(): Probe | undefined {
    return this.#lastProbe;
  }

  /** A picture was finished: rendering works. */
  markProven(): void {
    this.#succeededAt = this.#now();
    this.#isDoubted = false;
  }

  /** Something failed that may mean that rendering no longer works. The next success proves that it does. */
  markUnproven(): void {
    this.#isDoubted = true;
  }

  /**
   * Renders {@link PROBE_JOB}, checks its pixels and remembers the result.
   * @throws AppError `render_failed` when the pixels are wrong, or whatever `render` throws
   */
  async probe(render: (job: RenderJob) => Promise<{ png: Buffer }>): Promise<void> {
    const startedAt = this.#now();
    const finish = (fault?: string) => {
      this.#lastProbe = { at: new Date(), ms: this.#now() - startedAt, fault };
    };
    try {
      await requireProbePixels((await render(PROBE_JOB)).png);
      finish();
      this.markProven();
    } catch (error) {
      finish(error instanceof AppError ? error.message : "It failed unexpectedly.");
      throw error;
    }
  }
}
