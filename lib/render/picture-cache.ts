import { LRUCache } from "lru-cache";
import type { Issue } from "#lib/errors.ts";
import { SingleFlight } from "./single-flight.ts";

/** Bytes of keys, headers and bookkeeping that a picture costs beside its own. */
const ENTRY_OVERHEAD_BYTES = 1_024;

/** The same of one warning: its texts are two bytes a character, and short. */
const WARNING_BYTES = 512;

/** A picture, and what has to be said of it whenever it is given. */
export type DrawnPicture = { png: Buffer; warnings: Issue[] };

/** How a picture was come by: drawn, drawn for another who asked at the same time, or kept from before. */
export type Source = "drawn" | "shared" | "cache";

function bytesOf({ png, warnings }: DrawnPicture): number {
  return png.length + warnings.length * WARNING_BYTES + ENTRY_OVERHEAD_BYTES;
}

/** Pictures by what they were made of: repeats are answered from memory, and those under way are drawn once. */
export class PictureCache {
  readonly #work = new SingleFlight<DrawnPicture>();
  #kept: LRUCache<string, DrawnPicture> | undefined;

  /**
   * @param caller whose request it is: waiting for what somebody else has asked for would be waiting for their turn
   * @param limitBytes how much may be kept; 0 keeps nothing
   * @throws whatever `draw` throws, or the signal's reason. A failure is never kept.
   */
  async get(options: {
    key: string;
    caller: string;
    limitBytes: number;
    draw: (signal: AbortSignal) => Promise<DrawnPicture>;
    signal?: AbortSignal | undefined;
  }): Promise<DrawnPicture & { source: Source }> {
    const { key, caller, limitBytes, draw, signal } = options;
    const kept = this.#within(limitBytes)?.get(key);
    if (kept) return { ...kept, source: "cache" };
    const { result, isShared } = await this.#work.run(JSON.stringify([caller, key]), draw, signal);
    this.#kept?.set(key, result);
    return { ...result, source: isShared ? "shared" : "drawn" };
  }

  /** How many pictures are kept, and how many bytes they take. */
  get kept(): { pictures: number; bytes: number } {
    return { pictures: this.#kept?.size ?? 0, bytes: this.#kept?.calculatedSize ?? 0 };
  }

  #within(limitBytes: number): LRUCache<string, DrawnPicture> | undefined {
    if (limitBytes !== (this.#kept?.maxSize ?? 0)) {
      this.#kept = limitBytes === 0 ? undefined : new LRUCache({ maxSize: limitBytes, sizeCalculation: bytesOf });
    }
    return this.#kept;
  }
}
