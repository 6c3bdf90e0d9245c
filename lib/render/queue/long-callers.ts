import { LRUCache } from "lru-cache";
import { PROBE_CALLER } from "#lib/render/readiness.ts";
import {
  LONG_ALONE_MS,
  LONG_CALLER_MS,
  LONG_RENDER_MS,
  LONG_RENDER_RATIO,
  RECENT_CALLERS_KEPT,
  RECENT_RENDERS_KEPT,
} from "#lib/render/render-limits.ts";
import type { Attempt } from "./attempt.ts";
import { takesPlace } from "./fair-queue.ts";

type Seen = { caller: string; at: number };

type LongAttempt = Pick<Attempt, "ms" | "keptWaitingMs">;

/** A render that waits, or that a browser works on. */
export type Work = {
  caller: string;
  /** Whether it is long for any caller, as an explanation is. */
  leavesBrowser: boolean;
  /** How many times it has given way to others because it takes long. */
  waysGiven: number;
};

/**
 * The callers whose renders have taken long lately, while others had renders too. How long a document takes is known only when it is
 * drawn.
 */
export class LongCallers {
  /** When the last long render of each ended. A caller that is forgotten counts as new. */
  readonly #ends = new LRUCache<string, number>({ max: RECENT_CALLERS_KEPT });
  /** The last render, and the last one of another caller. */
  #seen: Seen[] = [];
  /** How long the last renders have worked on browsers. */
  #lastMs: number[] = [];
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** A render that takes longer is a long one, in milliseconds. */
  readonly #longMs: number;
  readonly #onRested: () => void;

  /**
   * @param size how many browsers there are
   * @param onRested called whenever an only browser may begin long renders again
   */
  constructor({ size, onRested }: { size: number; onRested: () => void }) {
    this.#longMs = size === 1 ? LONG_ALONE_MS : LONG_RENDER_MS;
    this.#onRested = onRested;
  }

  /**
   * Whether a browser may begin a render. All browsers but one may work on long renders at once. The only one may, unless it rests
   * from them: see {@link rest}. The renders of a caller who has had a long one count as long while others are served.
   * @param slots what each browser works on
   */
  mayBegin(render: Work, slots: readonly (Work | undefined)[]): boolean {
    if (!this.#isLong(render)) return true;
    if (slots.length === 1) return performance.now() >= this.#restsUntil;
    return slots.filter((work) => work && this.#isLong(work)).length < slots.length - 1;
  }

  /** Whether `drawn` gives way to `waiting` when it takes long. Probes wait, or a long render would never end where they come often. */
  precedes(waiting: Work, drawn: Work): boolean {
    return waiting.caller !== drawn.caller && waiting.caller !== PROBE_CALLER && !this.#isLong(waiting);
  }

  /**
   * For how long a render may keep others waiting, in milliseconds. On a machine where every render takes seconds, none would ever
   * end without the ratio. What has given way once gets twice as long: others can delay it, but not prevent it.
   */
  patienceMs({ waysGiven }: Work): number {
    const quickestMs = this.#lastMs.length > 0 ? Math.min(...this.#lastMs) : 0;
    return Math.max(LONG_RENDER_MS, LONG_RENDER_RATIO * quickestMs) * (waysGiven > 0 ? 2 : 1);
  }

  /**
   * Tells that a browser has ended its work on a render. After a long one, an only browser begins no other long one for as long as
   * callers had to wait for it.
   */
  rest({ ms, keptWaitingMs }: LongAttempt): void {
    if (ms <= this.#longMs || keptWaitingMs === 0) return;
    this.#restsUntil = performance.now() + keptWaitingMs;
    setTimeout(this.#onRested, keptWaitingMs).unref();
  }

  /** Tells that a caller has asked for a render. */
  see(caller: string): void {
    if (!takesPlace(caller)) return;
    const other = this.#seen.find((seen) => seen.caller !== caller);
    this.#seen = [{ caller, at: performance.now() }, ...(other ? [other] : [])];
  }

  /** Tells that a render has ended, and how long it has worked on browsers. */
  note(caller: string, browserMs: number): void {
    if (!takesPlace(caller)) return;
    this.#lastMs = [browserMs, ...this.#lastMs].slice(0, RECENT_RENDERS_KEPT);
    if (browserMs > this.#longMs) this.noteLong(caller);
  }

  /** Tells that a render of this caller was a long one. */
  noteLong(caller: string): void {
    if (takesPlace(caller)) this.#ends.set(caller, performance.now());
  }

  #isLong({ caller, leavesBrowser, waysGiven }: Work): boolean {
    return leavesBrowser || waysGiven > 0 || this.#has(caller);
  }

  /** Whether a caller had a long render in the last {@link LONG_CALLER_MS}, and others have asked for renders in that time. */
  #has(caller: string): boolean {
    if (!isRecent(this.#ends.get(caller))) return false;
    return isRecent(this.#seen.find((other) => other.caller !== caller)?.at);
  }
}

function isRecent(at: number | undefined): boolean {
  return at !== undefined && performance.now() - at < LONG_CALLER_MS;
}
