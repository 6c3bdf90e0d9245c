import { AppError } from "#lib/errors.ts";
import {
  BODY_BUDGET_BYTES,
  BODY_BUDGET_RESERVE_BYTES,
  BODY_LIMIT_BYTES,
  BODY_RETRY_SECONDS,
} from "#lib/http/http-limits.ts";
import { processState } from "#lib/process-state.ts";

const budget = processState("body-budget", () => ({ heldBytes: 0 }));

/** Bytes of bodies that are in memory now. */
export function heldBytes(): number {
  return budget.get().heldBytes;
}

function overloaded(): AppError {
  return new AppError("overloaded", "Too many large bodies are being worked on.", {
    // What is left of the body is still on its way, so the connection cannot carry another request.
    headers: { "Retry-After": String(BODY_RETRY_SECONDS), Connection: "close" },
  });
}

/** What one request holds of the bytes that all bodies may hold together, from its first byte until it is answered. */
export class BodyShare {
  #bytes = 0;

  /** @throws AppError `overloaded` when a body that grows to `bytes` has no room beside the others */
  grow(bytes: number): void {
    const reserve = bytes > BODY_LIMIT_BYTES ? BODY_BUDGET_RESERVE_BYTES : 0;
    const others = budget.get().heldBytes - this.#bytes;
    if (others + bytes > BODY_BUDGET_BYTES - reserve) throw overloaded();
    budget.get().heldBytes = others + bytes;
    this.#bytes = bytes;
  }

  release(): void {
    budget.get().heldBytes -= this.#bytes;
    this.#bytes = 0;
  }
}
