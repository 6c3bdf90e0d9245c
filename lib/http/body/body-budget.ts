import { bodyBudgetBytes } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { BODY_BUDGET_RESERVE_SHARE, BODY_LIMIT_BYTES, BODY_RETRY_SECONDS } from "#lib/http/http-limits.ts";
import { gauge } from "#lib/metrics.ts";
import { processState } from "#lib/process-state.ts";

const budget = processState("body-budget", () => ({ heldBytes: 0, limitBytes: bodyBudgetBytes() }));

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

function overloaded(): AppError {
  return new AppError("overloaded", "The service is busy with too many large bodies. Try again later.", {
    // The rest of the body is still arriving, so the connection cannot carry another request.
    headers: { "Retry-After": String(BODY_RETRY_SECONDS), Connection: "close" },
  });
}

/** The part of the memory for all bodies that one request holds, from its first byte until its response. */
export class BodyShare {
  #bytes = 0;

  /** @throws AppError `overloaded` when the budget has no room for a body of `bytes` */
  grow(bytes: number): void {
    const { heldBytes, limitBytes } = budget.get();
    const reserve = bytes > BODY_LIMIT_BYTES ? limitBytes * BODY_BUDGET_RESERVE_SHARE : 0;
    const others = heldBytes - this.#bytes;
    if (others + bytes > limitBytes - reserve) throw overloaded();
    budget.get().heldBytes = others + bytes;
    this.#bytes = bytes;
  }

  release(): void {
    budget.get().heldBytes -= this.#bytes;
    this.#bytes = 0;
  }
}
