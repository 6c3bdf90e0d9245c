import { type LookupAddress, lookup } from "node:dns";
import { promisify } from "node:util";
import { LRUCache } from "lru-cache";
import { processState } from "#lib/process-state.ts";
import { FairTurns } from "../fair-turns.ts";
import {
  CONCURRENT_LOOKUPS,
  KNOWN_ADDRESSES_MS,
  KNOWN_AFTER_MS,
  LOOKUP_NAMES_KEPT,
  LOOKUP_SERVERS_KEPT,
  LOOKUP_WAIT_MS,
  QUICK_LOOKUP_MS,
  SLOW_LOOKUP_MS,
  SLOW_LOOKUP_REMEMBERED_MS,
} from "../image-limits.ts";
import { currentImages } from "../render-images.ts";
import { firstAddresses } from "./first-addresses.ts";

/**
 * Looks up all IP addresses of a host.
 * @param server what the host belongs to, such as a wildcard whose names one name server answers. The default is the host itself.
 */
export type FindAddresses = (hostname: string, server?: string) => Promise<LookupAddress[]>;

/** As other programs of the machine do, with its hosts file and search domains. */
const lookUp: FindAddresses = (hostname) => promisify(lookup)(hostname, { all: true, order: "verbatim" });

/** The addresses that were found last for a name, and when. */
type Known = { addresses: LookupAddress[]; at: number };

/** What a lookup finds, or the addresses that were known before if it takes longer than {@link KNOWN_AFTER_MS}. The lookup goes on. */
async function foundSoon(found: Promise<LookupAddress[]>, known: LookupAddress[]): Promise<LookupAddress[]> {
  const late = Promise.withResolvers<LookupAddress[]>();
  const timer = setTimeout(() => late.resolve(known), KNOWN_AFTER_MS);
  return await Promise.race([found, late.promise]).finally(() => clearTimeout(timer));
}

/** The group of all servers of which no name was found quickly the last time, or one was very slow in the last ten minutes. */
const UNPROVEN = "unproven";

/**
 * Lookups of hosts. A lookup takes a thread and cannot be interrupted. Where a name server does not answer, it takes ten seconds or
 * more. So a name is looked up once for all who ask for it at the same time.
 *
 * One of the two places is kept for servers whose names were found quickly. Each of them may take it with one lookup at a time. A server with
 * a very slow lookup loses this right for ten minutes.
 *
 * One such name must not cost the other names of a wildcard their images. So names are not looked up again in those ten minutes if their
 * addresses are as new, and if a name is not found within a second, its addresses of the last day are used.
 */
export class Lookups {
  readonly #find: FindAddresses;
  readonly #waitMs: number;
  readonly #turns = new FairTurns({ places: CONCURRENT_LOOKUPS, placesOfGroup: CONCURRENT_LOOKUPS - 1 });
  readonly #underWay = new Map<string, Promise<LookupAddress[]>>();
  readonly #quick = new LRUCache<string, true>({ max: LOOKUP_SERVERS_KEPT });
  readonly #known = new LRUCache<string, Known>({ max: LOOKUP_NAMES_KEPT });
  readonly #slow = new LRUCache<string, true>({ max: LOOKUP_SERVERS_KEPT, ttl: SLOW_LOOKUP_REMEMBERED_MS });

  constructor(find: FindAddresses, waitMs = LOOKUP_WAIT_MS) {
    this.#find = find;
    this.#waitMs = waitMs;
  }

  /**
   * @returns the {@link firstAddresses}
   * @throws an error with the code of the lookup, or `ETIMEDOUT` when it could not begin in time
   */
  find(hostname: string, server = hostname): Promise<LookupAddress[]> {
    const fresh = this.#knownFor(hostname, SLOW_LOOKUP_REMEMBERED_MS);
    if (fresh && this.#slow.has(server)) return Promise.resolve(fresh);
    const found = this.#underWay.get(hostname) ?? this.#start(hostname, server);
    const before = this.#knownFor(hostname, KNOWN_ADDRESSES_MS);
    return before ? foundSoon(found, before) : found;
  }

  #start(hostname: string, server: string): Promise<LookupAddress[]> {
    const started = this.#wait(hostname, server).finally(() => this.#underWay.delete(hostname));
    this.#underWay.set(hostname, started);
    return started;
  }

  /** The addresses of a name, if they were found in the last `ms` milliseconds. */
  #knownFor(hostname: string, ms: number): LookupAddress[] | undefined {
    const { addresses, at } = this.#known.get(hostname) ?? { at: Number.NEGATIVE_INFINITY };
    return performance.now() - at < ms ? addresses : undefined;
  }

  /** Waits for a turn, for a limited time. */
  async #wait(hostname: string, server: string): Promise<LookupAddress[]> {
    const end = new AbortController();
    const late = () =>
      end.abort(Object.assign(new Error("The lookup could not begin in time."), { code: "ETIMEDOUT" }));
    const timer = setTimeout(late, this.#waitMs);
    // Asked when a place is free: a lookup that ended meanwhile may have been slow.
    const group = () => (this.#quick.has(server) && !this.#slow.has(server) ? server : UNPROVEN);
    try {
      const turn = { signal: end.signal, group };
      return await this.#turns.run(currentImages().caller, () => this.#measure(hostname, server), turn);
    } catch (error) {
      // Who joins a lookup that is about to give up gets its error before the known addresses.
      const known = end.signal.aborted && this.#knownFor(hostname, KNOWN_ADDRESSES_MS);
      if (!known) throw error;
      return known;
    } finally {
      clearTimeout(timer);
    }
  }

  async #measure(hostname: string, server: string): Promise<LookupAddress[]> {
    const startedAt = performance.now();
    try {
      const addresses = firstAddresses(await this.#find(hostname));
      this.#quick.set(server, true);
      this.#known.set(hostname, { addresses, at: performance.now() });
      return addresses;
    } finally {
      // That a name does not exist says nothing about the server: anyone can ask for one.
      const ms = performance.now() - startedAt;
      if (ms >= QUICK_LOOKUP_MS) this.#quick.delete(server);
      if (ms >= SLOW_LOOKUP_MS) this.#slow.set(server, true);
    }
  }
}

const lookups = processState("lookups", () => new Lookups(lookUp));

/** Looks up a host as other programs of the machine do, a few at a time. */
export const findAddresses: FindAddresses = (hostname, server) => lookups.get().find(hostname, server);
