import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { RenderConfig } from "#lib/config.ts";
import { FairTurns } from "#lib/images/fair-turns.ts";
import { counter } from "#lib/metrics.ts";
import { processState } from "#lib/process-state.ts";
import { DiskStore } from "./disk-store.ts";
import { PAGES_CALLER } from "./queue/fair-queue.ts";
import { rendering } from "./render.ts";
import { requireRenderConfig } from "./render-config.ts";
import {
  CONCURRENT_DISPLAY_PICTURES,
  DISPLAY_DISK_BYTES,
  DISPLAY_MEMORY_BYTES,
  DISPLAY_ROOM_POLL_MS,
  DISPLAY_ROOM_WAIT_MS,
} from "./render-limits.ts";
import { SingleFlight } from "./single-flight.ts";

/** Memory that a kept picture costs beside its own bytes: key and bookkeeping. */
const ENTRY_OVERHEAD_BYTES = 512;

const answered = counter({
  name: "platen_page_pictures_total",
  help: "Pictures for the service's own pages, by source: drawn, shared, memory or disk.",
  labels: ["source"],
});

/** Renders and finishes a picture, as `caller`. */
type Render = (options: { signal: AbortSignal; caller: string }) => Promise<Buffer>;

type Wanted = {
  key: string;
  render: Render;
  signal: AbortSignal;
  /** Who asks. Callers take turns. */
  caller: string;
};

type Source = "drawn" | "memory" | "disk";

/** True when the queue keeps room for a request beside this picture, or when nothing is waiting or rendered. */
function isRoomLeft({ workers, queueLimit }: RenderConfig): boolean {
  const { waiting, rendering: rendered } = rendering.get().state;
  return waiting + rendered === 0 || waiting + rendered + 1 < workers + queueLimit;
}

/**
 * Renders as soon as the queue has room, so that requests wait as little as possible for pictures of pages. After
 * {@link DISPLAY_ROOM_WAIT_MS}, it enters the queue like a request.
 */
async function renderWithRoom(render: Render, signal: AbortSignal): Promise<Buffer> {
  const deadline = performance.now() + DISPLAY_ROOM_WAIT_MS;
  while (performance.now() < deadline && !isRoomLeft(requireRenderConfig())) {
    await setTimeout(DISPLAY_ROOM_POLL_MS, undefined, { signal });
  }
  return await render({ signal, caller: PAGES_CALLER });
}

/** Pictures of the service's own pages: made once, a few at a time, and kept in memory and on disk. */
class DisplayPictures {
  readonly #memory = new LRUCache<string, Buffer>({
    maxSize: DISPLAY_MEMORY_BYTES,
    sizeCalculation: ({ length }) => length + ENTRY_OVERHEAD_BYTES,
  });
  readonly #flights = new SingleFlight<{ picture: Buffer; source: Source }>();
  readonly #turns = new FairTurns({ places: CONCURRENT_DISPLAY_PICTURES });
  #disk: { dataDir: string; store: DiskStore } | undefined;

  /** How many pictures are in memory, and the bytes there and on disk; undefined while the disk is not counted. */
  get kept(): { pictures: number; memoryBytes: number; diskBytes: number | undefined } {
    const { size, calculatedSize } = this.#memory;
    return { pictures: size, memoryBytes: calculatedSize, diskBytes: this.#disk?.store.bytes };
  }

  async get(wanted: Wanted): Promise<Buffer> {
    const { key, signal } = wanted;
    const kept = this.#memory.get(key);
    if (kept) return this.#answer(kept, "memory");
    const { result, isShared } = await this.#flights.run(
      key,
      (whileWanted) => this.#find({ ...wanted, signal: whileWanted }),
      signal,
    );
    return this.#answer(result.picture, isShared ? "shared" : result.source);
  }

  #answer(picture: Buffer, source: Source | "shared"): Buffer {
    answered.inc({ source });
    return picture;
  }

  async #find(wanted: Wanted): Promise<{ picture: Buffer; source: Source }> {
    const { key } = wanted;
    const store = this.#store(requireRenderConfig());
    const found = await store.read(key);
    const picture = found ?? (await this.#make(wanted));
    this.#memory.set(key, picture);
    // The answer does not wait for the disk.
    if (!found) void store.write(key, picture);
    return { picture, source: found ? "disk" : "drawn" };
  }

  async #make({ render, signal, caller }: Wanted): Promise<Buffer> {
    return await this.#turns.run(caller, () => renderWithRoom(render, signal), { signal });
  }

  #store({ dataDir }: RenderConfig): DiskStore {
    if (this.#disk?.dataDir !== dataDir) {
      const dir = join(/* turbopackIgnore: true */ dataDir, "page-pictures");
      this.#disk = { dataDir, store: new DiskStore({ dir, limitBytes: DISPLAY_DISK_BYTES }) };
    }
    return this.#disk.store;
  }
}

/** The one instance of this process. */
export const displayPictures = processState("display-pictures", () => new DisplayPictures());
