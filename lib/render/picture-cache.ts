import { LRUCache } from "lru-cache";
import { SharedWork } from "./shared-work.ts";

/** Bytes of keys, headers and bookkeeping that a picture costs beside its own. */
const ENTRY_OVERHEAD_BYTES = 1_024;

/** How a picture was come by: drawn, drawn for another who asked at the same time, or kept from before. */
export type Source = "drawn" | "shared" | "cache";

/** Pictures by what they were made of: repeats are answered from memory, and those under way are drawn once. */
export class PictureCache {
  readonly #work = new SharedWork<Buffer>();
  #kept: LRUCache<string, Buffer> | undefined;

  /**
   * @param caller whose request it is: waiting for what somebody else has asked for would be waiting for their turn
   * @param limitBytes how much may be kept; 0 keeps nothing
   * @throws whatever `draw` throws, or the signal's reason. A failure is never kept.
   */
  async get(options: {
    key: string;
    caller: string;
    limitBytes: number;
    draw: (signal: AbortSignal) => Promise<Buffer>;
    signal?: AbortSignal | undefined;
  }): Promise<{ png: Buffer; source: Source }> {
    const { key, caller, limitBytes, draw, signal } = options;
    const kept = this.#within(limitBytes)?.get(key);
    if (kept) return { png: kept, source: "cache" };
    const { result: png, isShared } = await this.#work.run(JSON.stringify([caller, key]), draw, signal);
    this.#kept?.set(key, png);
    return { png, source: isShared ? "shared" : "drawn" };
  }

  #within(limitBytes: number): LRUCache<string, Buffer> | undefined {
    if (limitBytes !== (this.#kept?.maxSize ?? 0)) {
      this.#kept =
        limitBytes === 0
          ? undefined
          : new LRUCache({ maxSize: limitBytes, sizeCalculation: (png) => png.length + ENTRY_OVERHEAD_BYTES });
    }
    return this.#kept;
  }
}
