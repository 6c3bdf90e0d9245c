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

type Source = "drawn" | "shared" | "memory" | "disk";

type Found = { picture: Buffer; source: Source };

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

/**
 * Pictures of the service's own pages: made once, a few at a time, and kept in memory and on disk. Who asks for a picture that another
 * client waits for has a turn of their own: the other one's turn may be far away.
 */
class DisplayPictures {
  readonly #memory = new LRUCache<string, Buffer>({
    maxSize: DISPLAY_MEMORY_BYTES,
    sizeCalculation: ({ length }) => length + ENTRY_OVERHEAD_BYTES,
  });
  /** By caller and key. */
  readonly #flights = new SingleFlight<Found>();
  /** By key: pictures that are drawn now, and no longer wait for a turn. */
  readonly #drawings = new SingleFlight<Buffer>();
  readonly #turns = new FairTurns({ places: CONCURRENT_DISPLAY_PICTURES });
  #disk: { dataDir: string; store: DiskStore } | undefined;

  /** How many pictures are in memory, and the bytes there and on disk; undefined while the disk is not counted. */
  get kept(): { pictures: number; memoryBytes: number; diskBytes: number | undefined } {
    const { size, calculatedSize } = this.#memory;
    return { pictures: size, memoryBytes: calculatedSize, diskBytes: this.#disk?.store.bytes };
  }

  async get(wanted: Wanted): Promise<Buffer> {
    const { key, signal, caller } = wanted;
    const kept = this.#memory.get(key);
    if (kept) return this.#answer({ picture: kept, source: "memory" });
    const { result, isShared } = await this.#flights.run(
      JSON.stringify([caller, key]),
      (whileWanted) => this.#find({ ...wanted, signal: whileWanted }),
      signal,
    );
    return this.#answer(isShared ? { ...result, source: "shared" } : result);
  }

  #answer({ picture, source }: Found): Buffer {
    answered.inc({ source });
    return picture;
  }

  async #find(wanted: Wanted): Promise<Found> {
    const { key, caller, signal } = wanted;
    const store = this.#store(requireRenderConfig());
    const stored = await store.read(key);
    if (!stored) return await this.#turns.run(caller, () => this.#draw(wanted, store), { signal });
    this.#memory.set(key, stored);
    return { picture: stored, source: "disk" };
  }

  /** Draws a picture, unless another client's turn came first. */
  async #draw({ key, render, signal }: Wanted, store: DiskStore): Promise<Found> {
    const kept = this.#memory.get(key);
    if (kept) return { picture: kept, source: "memory" };
    const draw = async (whileWanted: AbortSignal) => {
      const picture = await renderWithRoom(render, whileWanted);
      this.#memory.set(key, picture);
      // The answer does not wait for the disk.
      void store.write(key, picture);
      return picture;
    };
    const { result, isShared } = await this.#drawings.run(key, draw, signal);
    return { picture: result, source: isShared ? "shared" : "drawn" };
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
