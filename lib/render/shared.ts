import { processState } from "#lib/process-state.ts";
import type { Worker } from "./chromium/worker.ts";
import { PictureCache } from "./picture-cache.ts";
import type { Pool } from "./queue/render-pool.ts";
import type { RenderingState } from "./render.ts";

type Shared = {
  pool: Pool | undefined;
  cache: PictureCache;
  /** Process groups of living browsers and their folders. */
  browsers: Map<number, string>;
  /** When each browser began to serve, on the clock of `performance.now()`. */
  startedAt: WeakMap<Worker, number>;
  /** Data folders in which leftovers of dead servers were looked for. */
  swept: Set<string>;
  /** The machine refused the sandbox once; it will again. */
  sandboxRefused: boolean;
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
    browsers: new Map(),
    startedAt: new WeakMap(),
    swept: new Set(),
    sandboxRefused: false,
    lastSuccessAt: undefined,
    proof: undefined,
    stopped: undefined,
  }),
);
