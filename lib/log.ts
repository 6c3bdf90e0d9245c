import pino, { type DestinationStream, type Logger } from "pino";
import { logLevel } from "#lib/config.ts";
import { processState } from "#lib/process-state.ts";

const STANDARD_ERROR = 2;

function createLog(destination?: DestinationStream): Logger {
  return pino({ level: logLevel(), base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

export const logState = processState("log", () => createLog());

/** The only log: one JSON object per line on standard output, at the configured level. */
export function log(): Logger {
  return logState.get();
}

/** Moves the log to standard error, for commands that write their result to standard output. */
export function logToStandardError(): void {
  logState.replace(createLog(pino.destination({ dest: STANDARD_ERROR, sync: true })));
}
