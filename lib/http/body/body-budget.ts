import { bodyBudgetBytes } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { BODY_BUDGET_RESERVE_SHARE, BODY_LIMIT_BYTES, BODY_RETRY_SECONDS } from "#lib/http/http-limits.ts";
import { gauge } from "#lib/metrics.ts";
import { processState } from "#lib/process-state.ts";

function overloaded(): AppError {
  return new AppError("overloaded", "The service is busy with too many large bodies. Try again later.", {
    // The rest of the body may still be arriving, and then the connection cannot carry another request.
    headers: { "Retry-After": String(BODY_RETRY_SECONDS), Connection: "close" },
  });
}

/** The bodies of one caller that can still be refused to make room. */
type CallerBodies = { bytes: number; shares: Set<BodyShare> };

/** The memory for all bodies together, which callers share. */
class BodyBudget {
  readonly limitBytes = bodyBudgetBytes();
  heldBytes = 0;
  readonly #callers = new Map<string, CallerBodies>();

  /**
   * Makes room for `bytes` more, if need be by refusing bodies of another caller.
   * @throws AppError `overloaded` when there is no room
   */
  require(bytes: number, { caller, isLarge }: { caller: string; isLarge: boolean }): void {
    const reserve = isLarge ? this.limitBytes * BODY_BUDGET_RESERVE_SHARE : 0;
    const missing = this.heldBytes + bytes - (this.limitBytes - reserve);
    if (missing <= 0) return;
    const wanted = (this.#callers.get(caller)?.bytes ?? 0) + bytes;
    for (const share of this.#toGiveWay({ missing, wanted })) share.giveWay(overloaded());
  }

  /** Counts bytes of a body. @param canGiveWay whether the body can make room for another caller's */
  count(share: BodyShare, bytes: number, { canGiveWay }: { canGiveWay: boolean }): void {
    this.heldBytes += bytes;
    if (!canGiveWay) return;
    const bodies = this.#callers.get(share.caller) ?? { bytes: 0, shares: new Set() };
    this.#callers.set(share.caller, bodies);
    bodies.bytes += bytes;
    bodies.shares.add(share);
  }

  /** Stops treating a body of `bytes` as one that can make room. Its memory still counts. */
  keep(share: BodyShare, bytes: number): void {
    const bodies = this.#callers.get(share.caller);
    if (!bodies?.shares.delete(share)) return;
    bodies.bytes -= bytes;
    if (bodies.shares.size === 0) this.#callers.delete(share.caller);
  }

  /**
   * Finds the largest bodies of the caller that holds most, until they free the `missing` bytes. That caller keeps at least `wanted`
   * bytes, which is what the other caller will hold. So a single caller may take everything, none can keep others out, and two callers
   * do not take turns at refusing each other's bodies.
   * @throws AppError `overloaded` when that is not enough
   */
  #toGiveWay({ missing, wanted }: { missing: number; wanted: number }): BodyShare[] {
    let most: CallerBodies = { bytes: 0, shares: new Set() };
    for (const caller of this.#callers.values()) if (caller.bytes > most.bytes) most = caller;
    const found: BodyShare[] = [];
    let freed = 0;
    for (const share of [...most.shares].toSorted((a, b) => b.bytes - a.bytes)) {
      if (freed >= missing) break;
      if (most.bytes - freed - share.bytes < wanted) continue;
      found.push(share);
      freed += share.bytes;
    }
    if (freed < missing) throw overloaded();
    return found;
  }
}

const budget = processState("body-budget", () => new BodyBudget());

gauge({
  name: "platen_body_bytes",
  help: "Request bodies in memory, from their first byte to their response.",
  read: () => budget.get().heldBytes,
});
gauge({
  name: "platen_body_budget_bytes",
  help: "The most that request bodies may take in memory (SERVICE_BODY_BUDGET_MB).",
  read: () => budget.get().limitBytes,
});

/** Bytes of request bodies in memory. */
export function heldBytes(): number {
  return budget.get().heldBytes;
}

/** The part of the budget that one request holds, from the first byte of its body until its response. */
export class BodyShare {
  /** Who sends the body. Callers share the memory. */
  readonly caller: string;
  readonly #end = new AbortController();
  #bytes = 0;
  #canGiveWay = true;

  constructor(caller = "") {
    this.caller = caller;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Aborts when the body has to make room for another caller's. The reason is an AppError `overloaded`. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** @throws AppError `overloaded` when the budget has no room for a body of `bytes` */
  grow(bytes: number): void {
    this.signal.throwIfAborted();
    const added = bytes - this.#bytes;
    budget.get().require(added, { caller: this.caller, isLarge: bytes > BODY_LIMIT_BYTES });
    budget.get().count(this, added, { canGiveWay: this.#canGiveWay });
    this.#bytes = bytes;
  }

  /** Keeps the body until its release, because work on it has begun and must not be interrupted. */
  keep(): void {
    budget.get().keep(this, this.#bytes);
    this.#canGiveWay = false;
  }

  /** Makes room: ends the request with an error. */
  giveWay(error: AppError): void {
    this.release();
    this.#end.abort(error);
  }

  release(): void {
    this.keep();
    budget.get().heldBytes -= this.#bytes;
    this.#bytes = 0;
  }
}
