import { type LookupAddress, lookup } from "node:dns";
import { promisify } from "node:util";
import { LRUCache } from "lru-cache";
import { processState } from "#lib/process-state.ts";
import { FairTurns } from "../fair-turns.ts";
import { CONCURRENT_LOOKUPS, LOOKUP_WAIT_MS, QUICK_LOOKUP_MS, QUICK_NAMES_KEPT } from "../image-limits.ts";
import { currentImages } from "../render-images.ts";

/** Looks up all IP addresses of a host. */
export type FindAddresses = (hostname: string) => Promise<LookupAddress[]>;

/** As other programs of the machine do, with its hosts file and search domains. */
const lookUp: FindAddresses = (hostname) => promisify(lookup)(hostname, { all: true, order: "verbatim" });

/** The group of names that were slow or failed the last time, or were never looked up. */
const UNPROVEN = "unproven";

/**
 * Lookups of hosts. A lookup takes a thread and cannot be interrupted. Where a name server does not answer, it takes ten seconds or
 * more. So a name is looked up once for all who ask for it at the same time, and one place is kept for names that were quick the last
 * time.
 */
export class Lookups {
  readonly #find: FindAddresses;
  readonly #waitMs: number;
  readonly #turns = new FairTurns({ places: CONCURRENT_LOOKUPS, placesOfGroup: CONCURRENT_LOOKUPS - 1 });
  readonly #underWay = new Map<string, Promise<LookupAddress[]>>();
  readonly #quick = new LRUCache<string, true>({ max: QUICK_NAMES_KEPT });

  constructor(find: FindAddresses, waitMs = LOOKUP_WAIT_MS) {
    this.#find = find;
    this.#waitMs = waitMs;
  }

  /** @throws an error with the code of the lookup, or `ETIMEDOUT` when it could not begin in time */
  find(hostname: string): Promise<LookupAddress[]> {
    const found = this.#underWay.get(hostname);
    if (found) return found;
    const started = this.#wait(hostname).finally(() => this.#underWay.delete(hostname));
    this.#underWay.set(hostname, started);
    return started;
  }

  /** Waits for a turn, for a limited time. */
  async #wait(hostname: string): Promise<LookupAddress[]> {
    const end = new AbortController();
    const late = () =>
      end.abort(Object.assign(new Error("The lookup could not begin in time."), { code: "ETIMEDOUT" }));
    const timer = setTimeout(late, this.#waitMs);
    const turn = { signal: end.signal, ...(!this.#quick.has(hostname) && { group: UNPROVEN }) };
    try {
      return await this.#turns.run(currentImages().caller, () => this.#measure(hostname), turn);
    } finally {
      clearTimeout(timer);
    }
  }

  async #measure(hostname: string): Promise<LookupAddress[]> {
    const startedAt = performance.now();
    this.#quick.delete(hostname);
    const addresses = await this.#find(hostname);
    if (performance.now() - startedAt < QUICK_LOOKUP_MS) this.#quick.set(hostname, true);
    return addresses;
  }
}

const lookups = processState("lookups", () => new Lookups(lookUp));

/** Looks up a host as other programs of the machine do, a few at a time. */
export const findAddresses: FindAddresses = (hostname) => lookups.get().find(hostname);
