import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import { RARE_WARNING_MS } from "./database-limits.ts";

/** When each message was last logged, by `performance.now()`. */
const loggedAt = processState("rare database warnings", () => new Map<string, number>());

/**
 * Logs a warning unless the same message was logged less than {@link RARE_WARNING_MS} ago. For faults that may occur with every
 * request.
 */
export function warnRarely(details: object, message: string): void {
  const now = performance.now();
  const last = loggedAt.get().get(message);
  if (last !== undefined && now - last < RARE_WARNING_MS) return;
  loggedAt.get().set(message, now);
  log().warn(details, message);
}
