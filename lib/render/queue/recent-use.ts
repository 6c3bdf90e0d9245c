import { LRUCache } from "lru-cache";
import { LONG_CALLER_MS, LONG_RENDER_MS, RECENT_CALLERS_KEPT, RECENT_USE_MS } from "#lib/render/render-limits.ts";

type Use = { ms: number; at: number };

/**
 * The time for which each caller has used browsers and places in the queue lately. It decays exponentially, with the time constant
 * {@link RECENT_USE_MS}.
 */
export class RecentUse {
  /** `ms` is the value at the time `at`. A caller that is forgotten counts as new. */
  readonly #uses = new LRUCache<string, Use>({ max: RECENT_CALLERS_KEPT });

  /** In milliseconds. */
  of(caller: string): number {
    const use = this.#uses.get(caller);
    return use ? use.ms * Math.exp((use.at - performance.now()) / RECENT_USE_MS) : 0;
  }

  add(caller: string, ms: number): void {
    this.#uses.set(caller, { ms: this.of(caller) + ms, at: performance.now() });
  }
}

type Seen = { caller: string; at: number };

/**
 * The callers whose renders have taken long lately, while others had renders too. How long a document takes is known only when it is
 * drawn.
 */
export class LongCallers {
  /** When the last long render of each ended. A caller that is forgotten counts as new. */
  readonly #ends = new LRUCache<string, number>({ max: RECENT_CALLERS_KEPT });
  /** The last render, and the last one of another caller. */
  #seen: Seen[] = [];

  /** Whether a caller had a long render in the last {@link LONG_CALLER_MS}, and others have asked for renders in that time. */
  has(caller: string | undefined): boolean {
    if (caller === undefined || !isRecent(this.#ends.get(caller))) return false;
    return isRecent(this.#seen.find((other) => other.caller !== caller)?.at);
  }

  /** Tells that a caller has asked for a render. */
  see(caller: string): void {
    const other = this.#seen.find((seen) => seen.caller !== caller);
    this.#seen = [{ caller, at: performance.now() }, ...(other ? [other] : [])];
  }

  /** Tells that a render has worked on browsers for so long. */
  note(caller: string, browserMs: number): void {
    if (browserMs > LONG_RENDER_MS) this.#ends.set(caller, performance.now());
  }
}

function isRecent(at: number | undefined): boolean {
  return at !== undefined && performance.now() - at < LONG_CALLER_MS;
}
