import { loadsOf } from "#lib/addresses/senders.ts";
import { bodyBudgetBytes } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { gauge } from "#lib/metrics.ts";
import { processState } from "#lib/process-state.ts";
import { FETCHED_BUDGET_SHARE, FETCHED_RETRY_SECONDS } from "../image-limits.ts";
import type { RenderImages } from "../render-images.ts";

function overloaded(): AppError {
  return new AppError("overloaded", "The service is busy with too many large images. Try again later.", {
    headers: { "Retry-After": String(FETCHED_RETRY_SECONDS) },
  });
}

/**
 * Limits the memory for fetched images. A request of a hundred bytes may name images of megabytes. Until the picture is drawn, they
 * are in memory several times: as fetched, in base64, in the document, and in the message to the browser.
 */
export class FetchedBytes {
  readonly #limitBytes: number;
  /** How much each render holds. The one that fetched first comes first. */
  readonly #held = new Map<RenderImages, number>();
  readonly #ended = new WeakSet<RenderImages>();
  #heldBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Counts bytes that have arrived. Beyond the limit, renders of the caller that holds most give way, and of its senders those of the
   * one that holds most, newest first, with an AppError `overloaded`. One render alone may exceed it. Renders without a caller are those of a
   * command, which may take what they need.
   */
  add(images: RenderImages, bytes: number): void {
    if (images.caller === "" || this.#ended.has(images)) return;
    this.#held.set(images, (this.#held.get(images) ?? 0) + bytes);
    this.#heldBytes += bytes;
    while (this.#heldBytes > this.#limitBytes && this.#held.size > 1) this.#giveWay();
  }

  /** Frees what a render holds, because the render has ended. */
  release(images: RenderImages): void {
    this.#ended.add(images);
    this.#heldBytes -= this.#held.get(images) ?? 0;
    this.#held.delete(images);
  }

  #giveWay(): void {
    const bytesOf = new Map<string, number>();
    for (const [{ caller }, bytes] of this.#held) bytesOf.set(caller, (bytesOf.get(caller) ?? 0) + bytes);
    const [[largest] = []] = [...bytesOf].toSorted(([, a], [, b]) => b - a);
    const ofLargest = [...this.#held.keys()].filter(({ caller }) => caller === largest);
    const loads = loadsOf(ofLargest, (images) => this.#held.get(images) ?? 0);
    const newest = ofLargest[loads.lastIndexOf(Math.max(...loads))];
    if (!newest) return;
    this.release(newest);
    newest.giveWay(overloaded());
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
