import type { FileFault } from "../template.ts";

/** Faults that are told of one file. Nobody reads more, and each takes time to describe. */
export const MAX_TOLD = 100;

/** Describes the first faults, and says how many others there are. A single other one is described as well, which may itself say that. */
export function tellFirst<T>(found: T[], describe: (one: T) => FileFault): FileFault[] {
  if (found.length === MAX_TOLD + 1) return found.map(describe);
  const faults = found.slice(0, MAX_TOLD).map(describe);
  const rest = found.length - faults.length;
  const last = faults.at(-1);
  return rest === 0 || !last ? faults : [...faults, { ...last, reason: `There are ${rest} more faults.` }];
}
