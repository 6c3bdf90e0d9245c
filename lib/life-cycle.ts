import { processState } from "./process-state.ts";

const life = processState("life-cycle", () => ({ isStarted: false, isDraining: false }));

/** Notes that Next has started the work of this process (`instrumentation.ts`). */
export function noteStarted(): void {
  life.get().isStarted = true;
}

/** Whether {@link noteStarted} was called. */
export function isStarted(): boolean {
  return life.get().isStarted;
}

/**
 * Marks this process as about to stop, for good. From then on `/readyz` responds 503 and every response ends its connection,
 * while all requests are still served: balancers send their next requests elsewhere before the listener closes.
 */
export function beginDraining(): void {
  life.get().isDraining = true;
}

/** Whether {@link beginDraining} was called. */
export function isDraining(): boolean {
  return life.get().isDraining;
}
