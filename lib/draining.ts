import { processState } from "./process-state.ts";

const draining = processState("draining", () => ({ begun: false }));

/**
 * Marks this process as about to stop, for good. From then on `/readyz` responds 503 and every response ends its connection,
 * while all requests are still served: balancers send their next requests elsewhere before the listener closes.
 */
export function beginDraining(): void {
  draining.get().begun = true;
}

/** Whether {@link beginDraining} was called. */
export function isDraining(): boolean {
  return draining.get().begun;
}
