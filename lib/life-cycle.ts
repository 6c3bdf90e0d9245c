import { processState } from "./process-state.ts";

const life = processState("life-cycle", () => ({ started: Promise.withResolvers<void>(), isDraining: false }));

/** Notes that Next has started the work of this process (`instrumentation.ts`). */
export function noteStarted(): void {
  life.get().started.resolve();
}

/** Resolves after {@link noteStarted}. Where Next could not load the build, it logs the reason, and this never resolves. */
export async function started(): Promise<void> {
  await life.get().started.promise;
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
