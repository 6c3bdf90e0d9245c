import { PictureCache } from "./picture-cache.ts";
import type { Pool } from "./pool.ts";
import type { RenderingState } from "./render.ts";
import type { Worker } from "./worker.ts";

const KEY = Symbol.for("platen.render");

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

const holder = globalThis as { [KEY]?: Shared };

/** Kept on `globalThis` because routes, instrumentation and the server each get their own copy of this module. */
export function shared(): Shared {
  holder[KEY] ??= {
    pool: undefined,
    cache: new PictureCache(),
    browsers: new Map(),
    startedAt: new WeakMap(),
    swept: new Set(),
    sandboxRefused: false,
    lastSuccessAt: undefined,
    proof: undefined,
    stopped: undefined,
  };
  return holder[KEY];
}
