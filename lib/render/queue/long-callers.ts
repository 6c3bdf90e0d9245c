import { LRUCache } from "lru-cache";
import { LONG_CALLER_MS, LONG_RENDER_MS, RECENT_CALLERS_KEPT } from "#lib/render/render-limits.ts";

type Seen = { caller: string; at: number };

/** A render, or what a browser works on. */
type Work = {
  caller: string | undefined;
  /** Whether it is long for any caller, as an explanation is. */
  leavesBrowser: boolean;
};

/**
 * The callers whose renders have taken long lately, while others had renders too. How long a document takes is known only when it is
 * drawn.
 */
export class LongCallers {
  /** When the last long render of each ended. A caller that is forgotten counts as new. */
  readonly #ends = new LRUCache<string, number>({ max: RECENT_CALLERS_KEPT });
  /** The last render, and the last one of another caller. */
  #seen: Seen[] = [];

  /**
   * Whether one of several browsers may begin a render. All but one may work on long renders at once. The renders of a caller who has had a
   * long one count as long while others are served.
   * @param slots what each browser works on
   */
  mayBegin(render: Work, slots: readonly Work[]): boolean {
    const isLong = ({ caller, leavesBrowser }: Work) => leavesBrowser || this.#has(caller);
    return !isLong(render) || slots.filter(isLong).length < slots.length - 1;
  }

  /** Whether a caller had a long render in the last {@link LONG_CALLER_MS}, and others have asked for renders in that time. */
  #has(caller: string | undefined): boolean {
    if (caller === undefined || !isRecent(this.#ends.get(caller))) return false;
    return isRecent(this.#seen.find((other) => other.caller !== caller)?.at);
  }

  /** Tells that a caller has asked for a render. */
  see(caller: string): void {
    const other = this.#seen.find((seen) => seen.caller !== caller);
    this.#seen = [{ caller, at: performance.now() }, ...(other ? [other] : [])];
  }

  /** Tells that a render has worked on browsers for so long. */
  note(caller: string, browserMs: number): void {
    if (browserMs > LONG_RENDER_MS) this.#ends.set(caller, performance.now());
  }
}

function isRecent(at: number | undefined): boolean {
  return at !== undefined && performance.now() - at < LONG_CALLER_MS;
}
