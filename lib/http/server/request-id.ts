import { randomInt } from "node:crypto";
import { ulid } from "ulid";

const RANDOM_STEPS = 2 ** 32;

/** From Node's pool of random bytes: the library asks the system once for each of its 16 characters (0.1 ms). */
function random(): number {
  return randomInt(RANDOM_STEPS) / RANDOM_STEPS;
}

/** Names one request in its answer and in the log: a ULID, which sorts by time. */
export function newRequestId(): string {
  return ulid(undefined, random);
}
