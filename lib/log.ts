import pino, { type Logger } from "pino";
import { logLevel } from "#lib/config.ts";

const KEY = Symbol.for("platen.log");

/** Kept on `globalThis` because routes, instrumentation and the server each get their own copy of this module. */
const shared = globalThis as { [KEY]?: Logger };

/** The only log: one JSON object per line on standard output, at the level of the configuration. */
export function log(): Logger {
  shared[KEY] ??= pino({ level: logLevel(), base: null, timestamp: pino.stdTimeFunctions.isoTime });
  return shared[KEY];
}
