import { randomInt } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { processState } from "#lib/process-state.ts";

/** How far ids may be ahead of the clock. A clock that is corrected goes back by less. */
const AHEAD_MS = 60_000;

/** The first numbers of a millisecond are below this, so that the next ones fit into the 32 bits of an id. */
const FIRST_NUMBERS = 2 ** 31;

const last = processState("last-id", () => ({ msecs: 0, seq: 0 }));

/**
 * A new UUIDv7. Those of a process follow each other, also within a millisecond. The library's own state would keep the time of a clock that
 * was ahead until the process ends. The audit trail looks for the entries of a day among the ids of that day.
 */
export function newId(): string {
  const now = Date.now();
  const { msecs, seq } = last.get();
  const isOtherTime = now > msecs || now < msecs - AHEAD_MS;
  const next = isOtherTime ? { msecs: now, seq: randomInt(FIRST_NUMBERS) } : { msecs, seq: seq + 1 };
  last.replace(next);
  return uuidv7(next);
}
