import { format, stripVTControlCharacters } from "node:util";
import { log } from "#lib/log.ts";

type Level = "debug" | "warn" | "error";

function writer(level: Level) {
  return (...args: unknown[]) => {
    const err = args.find((arg) => arg instanceof Error);
    const rest = args.filter((arg) => arg !== err);
    const text = stripVTControlCharacters(format(...rest)).trim();
    log()[level](err ? { err } : {}, text || err?.message || "");
  };
}

/**
 * Writes what Next, packages and Node print into the log instead, so that each line of it has one format: notices at level debug,
 * warnings and errors at theirs.
 */
export function logConsole(): void {
  const notice = writer("debug");
  Object.assign(console, { debug: notice, log: notice, info: notice, warn: writer("warn"), error: writer("error") });
  process.removeAllListeners("warning").on("warning", (warning) => log().warn({ err: warning }, warning.message));
}
