import { LRUCache } from "lru-cache";
import { LONG_ALONE_MS, LONG_CALLER_MS, RECENT_CALLERS_KEPT, REST_MAX_MS } from "#lib/render/render-limits.ts";

/** The longest of a caller's last renders, in milliseconds, and when it ended on the clock of `performance.now()`. */
type Longest = { ms: number; at: number };

/**
 * Rests of an only browser. When a render has taken long while quicker callers waited, callers whose renders take less than a quarter as long go
 * first, for as long as they had to wait. Otherwise each request of theirs would wait for a long render, because the browser is free for a
 * moment between two requests.
 */
export class Rests {
  readonly #longest = new LRUCache<string, Longest>({ max: RECENT_CALLERS_KEPT });
  readonly #onEnd: () => void;
  /** How long the render took that this rest follows, in milliseconds. Undefined while there is no rest. */
  #afterMs: number | undefined;
  #until = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param onEnd called when a rest has ended */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get isUnderWay(): boolean {
    return this.#afterMs !== undefined;
  }

  /** Whether a render of this caller may begin now. */
  mayBegin(caller: string): boolean {
    return this.#afterMs === undefined || this.isQuicker(caller, this.#afterMs);
  }

  /** Whether the renders of a caller take less than a quarter of `ms`. Those of an unknown one do. */
  isQuicker(caller: string, ms: number): boolean {
    return this.longestMs(caller) < ms / 4;
  }

  /** Tells that a render has ended, and how long it has worked on the browser. */
  note(caller: string, ms: number): void {
    const longest = this.#longest.get(caller);
    if (!longest || !isRecent(longest) || ms >= longest.ms) this.#longest.set(caller, { ms, at: performance.now() });
  }

  /**
   * Begins a rest after a render that took `ms`, unless a longer one is under way.
   * @param waitedMs how long quicker callers have waited for it
   */
  begin({ ms, waitedMs }: { ms: number; waitedMs: number }): void {
    const restMs = Math.min(waitedMs, REST_MAX_MS);
    if (this.#isStopped || ms <= LONG_ALONE_MS || restMs <= 0 || performance.now() + restMs <= this.#until) return;
    this.#afterMs = Math.max(ms, this.#afterMs ?? 0);
    this.#setEnd(restMs);
  }

  /** Ends a rest no later than so many milliseconds from now: at zero or less at once, without a call of `onEnd`. */
  endWithin(ms: number): void {
    if (performance.now() + ms >= this.#until) return;
    this.#setEnd(ms);
    if (ms <= 0) this.#afterMs = undefined;
  }

  /** How long the longest render of a caller took lately, in milliseconds. */
  longestMs(caller: string): number {
    const longest = this.#longest.get(caller);
    return longest && isRecent(longest) ? longest.ms : 0;
  }

  /** Ends the rest, and begins no other one. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#end();
  }

  #setEnd(restMs: number): void {
    this.#until = performance.now() + restMs;
    clearTimeout(this.#timer);
    if (restMs > 0) this.#timer = setTimeout(() => this.#end(), restMs).unref();
  }

  #end(): void {
    this.#afterMs = undefined;
    this.#onEnd();
  }
}

function isRecent({ at }: Longest): boolean {
  return performance.now() - at < LONG_CALLER_MS;
}
