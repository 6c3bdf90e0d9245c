import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { RenderConfig } from "#lib/config.ts";
import { counter } from "#lib/metrics.ts";
import { processState } from "#lib/process-state.ts";
import { DiskStore } from "./disk-store.ts";
import { PAGES } from "./queue/fair-queue.ts";
import { requireRenderConfig } from "./render.ts";
import {
  CONCURRENT_DISPLAY_PICTURES,
  DISPLAY_DISK_BYTES,
  DISPLAY_MEMORY_BYTES,
  DISPLAY_ROOM_POLL_MS,
} from "./render-limits.ts";
import { shared } from "./shared.ts";
import { SingleFlight } from "./single-flight.ts";

/** Bytes of keys and bookkeeping that a picture in memory costs beside its own. */
const ENTRY_OVERHEAD_BYTES = 512;

const given = counter({
  name: "platen_page_pictures_total",
  help: "Pictures for the service's own pages, by how they were come by: drawn, shared, memory or disk.",
  labels: ["source"],
});

/** Draws and finishes a picture, as `caller`. */
type Draw = (options: { signal: AbortSignal; caller: string }) => Promise<Buffer>;

type Source = "drawn" | "memory" | "disk";

/** Whether somebody else's render would find a place. Where there is only one place, it has to be free. */
function isRoomLeft({ workers, queueLimit }: RenderConfig): boolean {
  const { waiting, drawing } = shared.get().pool?.state ?? { waiting: 0, drawing: 0 };
  return waiting + drawing === 0 || waiting + drawing + 1 < workers + queueLimit;
}

/**
 * Draws as soon as the queue has room, so that nobody's request waits longer than it has to for a page's picture. Who has
 * waited for as long as a render may take then takes a turn like everyone else.
 */
async function drawWithRoom(draw: Draw, signal: AbortSignal): Promise<Buffer> {
  const patience = performance.now() + requireRenderConfig().timeoutMs;
  while (performance.now() < patience && !isRoomLeft(requireRenderConfig())) {
    await setTimeout(DISPLAY_ROOM_POLL_MS, undefined, { signal });
  }
  return await draw({ signal, caller: PAGES });
}

/** Pictures that the service's own pages show: made once, a few at a time, and kept in memory and on disk. */
class DisplayPictures {
  readonly #memory = new LRUCache<string, Buffer>({
    maxSize: DISPLAY_MEMORY_BYTES,
    sizeCalculation: ({ length }) => length + ENTRY_OVERHEAD_BYTES,
  });
  readonly #work = new SingleFlight<{ picture: Buffer; source: Source }>();
  readonly #line = pLimit(CONCURRENT_DISPLAY_PICTURES);
  #disk: { dataDir: string; store: DiskStore } | undefined;

  /** How many are in memory, and what they take there and on disk, as far as that is known. */
  get kept(): { pictures: number; memoryBytes: number; diskBytes: number | undefined } {
    const { size, calculatedSize } = this.#memory;
    return { pictures: size, memoryBytes: calculatedSize, diskBytes: this.#disk?.store.bytes };
  }

  async get({ key, draw, signal }: { key: string; draw: Draw; signal: AbortSignal }): Promise<Buffer> {
    const kept = this.#memory.get(key);
    if (kept) return this.#give(kept, "memory");
    const { result, isShared } = await this.#work.run(key, (whileWanted) => this.#find(key, draw, whileWanted), signal);
    return this.#give(result.picture, isShared ? "shared" : result.source);
  }

  #give(picture: Buffer, source: Source | "shared"): Buffer {
    given.inc({ source });
    return picture;
  }

  async #find(key: string, draw: Draw, signal: AbortSignal): Promise<{ picture: Buffer; source: Source }> {
    const store = this.#store(requireRenderConfig());
    const found = await store.read(key);
    const picture = found ?? (await this.#make(draw, signal));
    this.#memory.set(key, picture);
    // Nobody waits for the disk.
    if (!found) void store.write(key, picture);
    return { picture, source: found ? "disk" : "drawn" };
  }

  async #make(draw: Draw, signal: AbortSignal): Promise<Buffer> {
    return await this.#line(async () => {
      signal.throwIfAborted();
      return await drawWithRoom(draw, signal);
    });
  }

  #store({ dataDir }: RenderConfig): DiskStore {
    if (this.#disk?.dataDir !== dataDir) {
      const dir = join(/* turbopackIgnore: true */ dataDir, "page-pictures");
      this.#disk = { dataDir, store: new DiskStore({ dir, limitBytes: DISPLAY_DISK_BYTES }) };
    }
    return this.#disk.store;
  }
}

/** The one of this process. */
export const displayPictures = processState("display-pictures", () => new DisplayPictures());
