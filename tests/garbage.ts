import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects what nothing refers to. Objects that were used in this turn of the event loop are only collected in a later one. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  for (let turn = 0; turn < 5; turn++) {
    await setImmediate();
    runInNewContext("gc")();
  }
}
