import { processState } from "#lib/process-state.ts";
import { FULL_BUCKET_MS, FULL_BUCKETS_KEPT } from "../access-limits.ts";

type Full = {
  /** The time at which an attempt comes back. */
  freeAt: number;
  /** The time at which the database is asked again. */
  askAt: number;
};

/**
 * Buckets that the database has found full. A flood of attempts is refused from here, without a query. It only ever refuses:
 * what it does not know, the database decides.
 */
export class FullBuckets {
  readonly #clock: () => number;
  readonly #full = new Map<string, Full>();

  /** @param clock in milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Remembers a full bucket until an attempt comes back, and for at most {@link FULL_BUCKET_MS}. */
  add(key: string, waitSeconds: number): void {
    const freeAt = this.#clock() + waitSeconds * 1_000;
    const [oldest] = this.#full.keys();
    this.#full.delete(key);
    if (oldest !== undefined && this.#full.size >= FULL_BUCKETS_KEPT) this.#full.delete(oldest);
    this.#full.set(key, { freeAt, askAt: Math.min(freeAt, this.#clock() + FULL_BUCKET_MS) });
  }

  /** Forgets every bucket, after buckets were emptied in the database. */
  clear(): void {
    this.#full.clear();
  }

  /** The seconds until a full bucket has an attempt again; undefined when the database has to be asked. */
  waitSeconds(key: string): number | undefined {
    const full = this.#full.get(key);
    if (full === undefined) return undefined;
    const now = this.#clock();
    if (full.askAt > now) return (full.freeAt - now) / 1_000;
    this.#full.delete(key);
    return undefined;
  }
}

export const fullBuckets = processState("full-buckets", () => new FullBuckets());
