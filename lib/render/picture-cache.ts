import { LRUCache } from "lru-cache";
import { Senders } from "#lib/addresses/senders.ts";
import type { Issue } from "#lib/errors.ts";
import { SingleFlight } from "./single-flight.ts";

/** Memory that a kept picture costs beside its own bytes: key, headers and bookkeeping. */
const ENTRY_OVERHEAD_BYTES = 1_024;

/** Memory of one warning: short texts, two bytes a character. */
const WARNING_BYTES = 512;

/** A finished picture, and the warnings that every answer with it carries. */
export type FinishedPicture = { png: Buffer; warnings: Issue[] };

/** How a picture was obtained: rendered, shared with a render that was under way, or kept in memory or in the store of the replicas. */
export type Source = "drawn" | "shared" | "cache" | "store";

function bytesOf({ png, warnings }: FinishedPicture): number {
  return png.length + warnings.length * WARNING_BYTES + ENTRY_OVERHEAD_BYTES;
}

/** A picture that several requests of a caller may wait for. */
type Shared = {
  key: string;
  caller: string;
  /** Who asks, where a caller stands for many. */
  sender?: string | undefined;
  /** @param senders all who wait for the picture, as long as they do */
  render: (signal: AbortSignal, senders: Senders) => Promise<FinishedPicture>;
  signal?: AbortSignal | undefined;
};

/** Pictures by a key of their content. Repeats are answered from memory; identical requests at the same time render once. */
export class PictureCache {
  readonly #flights = new SingleFlight<FinishedPicture>();
  /** Who waits in each flight. */
  readonly #senders = new Map<string, Senders>();
  #kept: LRUCache<string, FinishedPicture> | undefined;

  /**
   * @param caller renders under way are shared within one caller only: sharing another caller's render would mean
   * waiting for that caller's turn in the queue
   * @param limitBytes how much may be kept; 0 keeps nothing
   * @throws whatever `render` throws, or the signal's reason. A failure is never kept.
   */
  async get(options: Shared & { limitBytes: number }): Promise<FinishedPicture & { source: Source }> {
    const { key, limitBytes, ...shared } = options;
    const kept = this.#within(limitBytes)?.get(key);
    if (kept) return { ...kept, source: "cache" };
    const picture = await this.share({ key, ...shared });
    const { png, warnings } = picture;
    this.#kept?.set(key, { png, warnings });
    return picture;
  }

  /** Renders a picture that is not kept, once for all that wait for it. @throws as {@link get} */
  async share({ key, caller, sender = "", render, signal }: Shared): Promise<FinishedPicture & { source: Source }> {
    const flight = JSON.stringify([caller, key]);
    const senders = this.#senders.get(flight) ?? new Senders();
    this.#senders.set(flight, senders);
    const name = senders.add(sender);
    try {
      const { result, isShared } = await this.#flights.run(flight, (end) => render(end, senders), signal);
      return { ...result, source: isShared ? "shared" : "drawn" };
    } finally {
      if (senders.remove(name)) this.#senders.delete(flight);
    }
  }

  /** How many pictures are kept, and how many bytes they take. */
  get kept(): { pictures: number; bytes: number } {
    return { pictures: this.#kept?.size ?? 0, bytes: this.#kept?.calculatedSize ?? 0 };
  }

  /** Forgets every kept picture. Renders under way go on. */
  clear(): void {
    this.#kept?.clear();
  }

  #within(limitBytes: number): LRUCache<string, FinishedPicture> | undefined {
    if (limitBytes !== (this.#kept?.maxSize ?? 0)) {
      this.#kept = limitBytes === 0 ? undefined : new LRUCache({ maxSize: limitBytes, sizeCalculation: bytesOf });
    }
    return this.#kept;
  }
}
