import { bodyBudgetBytes } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { gauge } from "#lib/metrics.ts";
import { processState } from "#lib/process-state.ts";
import { FETCHED_BUDGET_SHARE, FETCHED_RETRY_SECONDS } from "./image-limits.ts";

/** The fetched images of one render. */
export type FetchedShare = {
  /** Aborts when the render has to give way. Its reason is an AppError `overloaded`. */
  signal: AbortSignal;
  /** Counts bytes that have arrived. They are held until the render ends. */
  grow(bytes: number): void;
  /** Ends the render's share. */
  release(): void;
};

type Held = { caller: string; bytes: number; end: AbortController; isOver: boolean };

function overloaded(): AppError {
  return new AppError("overloaded", "The service is busy with too many large images. Try again later.", {
    headers: { "Retry-After": String(FETCHED_RETRY_SECONDS) },
  });
}

/**
 * The bytes of fetched images in memory. A request of a hundred bytes may name images of megabytes, which are held until its picture
 * is drawn: as fetched, in base64, in the document, and in the message to the browser.
 */
export class FetchedBytes {
  readonly #limitBytes: number;
  /** Oldest first. */
  readonly #shares = new Set<Held>();
  #heldBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Opens the share of a render. Where all together are over the limit, renders of the caller that holds most give way, newest first.
   * One render alone may be over the limit.
   */
  open(caller: string): FetchedShare {
    const held: Held = { caller, bytes: 0, end: new AbortController(), isOver: false };
    return {
      signal: held.end.signal,
      grow: (bytes) => {
        if (held.isOver) return;
        this.#shares.add(held);
        held.bytes += bytes;
        this.#heldBytes += bytes;
        while (this.#heldBytes > this.#limitBytes && this.#shares.size > 1) this.#giveWay();
      },
      release: () => this.#remove(held),
    };
  }

  #remove(held: Held): void {
    held.isOver = true;
    if (!this.#shares.delete(held)) return;
    this.#heldBytes -= held.bytes;
  }

  #giveWay(): void {
    const bytesOf = new Map<string, number>();
    for (const { caller, bytes } of this.#shares) bytesOf.set(caller, (bytesOf.get(caller) ?? 0) + bytes);
    const [[largest] = []] = [...bytesOf].toSorted(([, a], [, b]) => b - a);
    const newest = [...this.#shares].findLast(({ caller }) => caller === largest);
    if (!newest) return;
    this.#remove(newest);
    newest.end.abort(overloaded());
  }
}

const fetched = processState("fetched-bytes", () => new FetchedBytes(bodyBudgetBytes() * FETCHED_BUDGET_SHARE));

gauge({
  name: "platen_fetched_image_bytes",
  help: "Fetched images in memory, until their pictures are drawn.",
  read: () => fetched.get().heldBytes,
});

/** The fetched images of this process. */
export function fetchedBytes(): FetchedBytes {
  return fetched.get();
}
