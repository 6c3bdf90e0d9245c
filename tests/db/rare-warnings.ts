import { processState } from "#lib/process-state.ts";

/** Makes the next warning of each kind be logged, whatever tests before have caused in this process. */
export function forgetWarnings(): void {
  processState("rare database warnings", () => undefined).reset();
}
