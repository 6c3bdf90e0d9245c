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

/** The bodies of one caller that can make room. The set is in order of arrival. */
type Line = { bytes: number; shares: Set<BodyShare> };

/** The memory for all bodies together, which callers share. */
class BodyBudget {
  readonly limitBytes = bodyBudgetBytes();
  heldBytes = 0;
  readonly #lines = new Map<string, Line>();

  /** @throws AppError `overloaded` when there is no room, and no other caller has to make some */
  require(bytes: number, { caller, isLarge }: { caller: string; isLarge: boolean }): void {
    const reserve = isLarge ? this.limitBytes * BODY_BUDGET_RESERVE_SHARE : 0;
    const missing = this.heldBytes + bytes - (this.limitBytes - reserve);
    if (missing <= 0) return;
    const wanted = (this.#lines.get(caller)?.bytes ?? 0) + bytes;
    for (const share of this.#toGiveWay({ missing, wanted })) share.giveWay(overloaded());
  }

  /** Counts bytes of a body. @param canGiveWay whether the body can make room for another caller's */
  count(share: BodyShare, bytes: number, { canGiveWay }: { canGiveWay: boolean }): void {
    this.heldBytes += bytes;
    if (!canGiveWay) return;
    const line = this.#lines.get(share.caller) ?? { bytes: 0, shares: new Set() };
    this.#lines.set(share.caller, line);
    line.bytes += bytes;
    line.shares.add(share);
  }

  /** From now on a body of this size cannot make room for others. It still takes its memory. */
  keep(share: BodyShare, bytes: number): void {
    const line = this.#lines.get(share.caller);
    if (!line?.shares.delete(share)) return;
    line.bytes -= bytes;
    if (line.shares.size === 0) this.#lines.delete(share.caller);
  }

  /**
   * The largest bodies of the caller that holds most, until they make up for the `missing` bytes. That caller keeps at least as much as
   * is `wanted` by the other one, which has less therefore. So one caller alone may take everything, none can keep others out, and two
   * do not displace each other in turn.
   * @throws AppError `overloaded` when that is not enough
   */
  #toGiveWay({ missing, wanted }: { missing: number; wanted: number }): BodyShare[] {
    let most: Line = { bytes: 0, shares: new Set() };
    for (const line of this.#lines.values()) if (line.bytes > most.bytes) most = line;
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

/** The part of the memory for all bodies that one request holds, from its first byte until its response. */
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

  /** The body stays until its release: what is done with it must not be broken off. */
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
