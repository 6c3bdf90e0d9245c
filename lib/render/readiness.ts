import { PROOF_AGE_MS } from "./render-limits.ts";
import { shared } from "./shared.ts";

/** A picture was finished: rendering works. */
export function noteSuccess(): void {
  shared.get().lastSuccessAt = performance.now();
}

/** Something failed that may mean that rendering no longer works. Only another picture can tell. */
export function markUnproven(): void {
  shared.get().lastSuccessAt = undefined;
}

/** Whether the last picture is so recent, with no doubt since, that nobody has to draw one to know that rendering works. */
export function isProven(): boolean {
  const { lastSuccessAt } = shared.get();
  return lastSuccessAt !== undefined && performance.now() - lastSuccessAt < PROOF_AGE_MS;
}
