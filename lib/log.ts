import pino, { type DestinationStream, type Logger } from "pino";
import { logLevel } from "#lib/config.ts";

const KEY = Symbol.for("platen.log");

/** Kept on `globalThis` because routes, instrumentation and the server each get their own copy of this module. */
const shared = globalThis as { [KEY]?: Logger };

const STANDARD_ERROR = 2;

function createLog(destination?: DestinationStream): Logger {
  return pino({ level: logLevel(), base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** The only log: one JSON object per line on standard output, at the level of the configuration. */
export function log(): Logger {
  shared[KEY] ??= createLog();
  return shared[KEY];
}

/** For commands whose standard output is their result. */
export function logToStandardError(): void {
  shared[KEY] = createLog(pino.destination({ dest: STANDARD_ERROR, sync: true }));
}
