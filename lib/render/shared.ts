import { processState } from "#lib/process-state.ts";
import type { Worker } from "./chromium/worker.ts";
import { PictureCache } from "./picture-cache.ts";
import type { Pool } from "./queue/render-pool.ts";
import type { RenderingState } from "./render.ts";

type Shared = {
  pool: Pool | undefined;
  cache: PictureCache;
  /** When each browser began to serve, on the clock of `performance.now()`. */
  startedAt: WeakMap<Worker, number>;
  /** When a picture was last finished, on the clock of `performance.now()`. */
  lastSuccessAt: number | undefined;
  /** The readiness canary under way. */
  proof: Promise<RenderingState> | undefined;
  /** Set for good by shutting down. */
  stopped: Promise<void> | undefined;
};

export const shared = processState(
  "render",
  (): Shared => ({
    pool: undefined,
    cache: new PictureCache(),
    startedAt: new WeakMap(),
    lastSuccessAt: undefined,
    proof: undefined,
    stopped: undefined,
  }),
);
