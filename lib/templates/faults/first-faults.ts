import type { FileFault } from "../template.ts";

/** How many faults of one file are reported. Nobody reads more, and each takes time to describe. */
export const MAX_TOLD = 100;

/**
 * Describes the first {@link MAX_TOLD} faults, and says how many others there are. A single other one is described too: it may be the
 * sentence about the others, from an earlier call.
 */
export function tellFirst<T>(found: T[], describe: (one: T) => FileFault): FileFault[] {
  if (found.length === MAX_TOLD + 1) return found.map(describe);
  const faults = found.slice(0, MAX_TOLD).map(describe);
  const rest = found.length - faults.length;
  const last = faults.at(-1);
  return rest === 0 || !last ? faults : [...faults, { ...last, reason: `There are ${rest} more faults.` }];
}
