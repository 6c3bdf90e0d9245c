import { LRUCache } from "lru-cache";
import { RECENT_CALLERS_KEPT, RECENT_USE_MS } from "#lib/render/render-limits.ts";

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

/** For how long the renders of each sender of a caller have held places lately. */
export class SendersUse {
  readonly #uses = new RecentUse();

  /** In milliseconds, of the one that has used least: nobody loses a picture because a greedy sender shares it. */
  of(caller: string, senders: string[]): number {
    return Math.min(...senders.map((sender) => this.#uses.of(JSON.stringify([caller, sender]))));
  }

  add(caller: string, senders: string[], ms: number): void {
    for (const sender of senders) this.#uses.add(JSON.stringify([caller, sender]), ms);
  }
}
