import { isatty } from "node:tty";
import { styleText } from "node:util";
import pino, { type DestinationStream, type Logger } from "pino";
import { logFormat, logLevel } from "#lib/config.ts";
import { standardSink, tellLosses } from "#lib/log/destination.ts";
import { printable, printableJson } from "#lib/printable.ts";
import { processState } from "#lib/process-state.ts";
import { currentTraceId } from "#lib/tracing.ts";

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

type Line = { level: string; time: string; msg?: string; err?: { stack?: string } } & Record<string, unknown>;

const COLORS: Record<string, "yellow" | "red" | "dim"> = { debug: "dim", warn: "yellow", error: "red", fatal: "red" };

/** The lines of a text, all but the first indented, so that none of them looks like a line of the log. */
function onItsLines(text: string): string {
  return text
    .split("\n")
    .map((line) => printable(line.trim()))
    .join("\n    ");
}

function fact([name, value]: [string, unknown]): string {
  const isWord = typeof value === "string" && /^[^\s"=\p{C}]+$/u.test(value);
  return `${printable(name)}=${isWord ? value : printableJson(value)}`;
}

/** A line of the log as people read it: `08:03:11 WARN The database does not answer. reason="nothing listens there"`. */
export function toText(json: string, { isColored = false } = {}): string {
  const { level, time, msg = "", err, ...facts } = JSON.parse(json) as Line;
  const name = level.toUpperCase().padEnd(5);
  const color = COLORS[level];
  const shown = isColored && color ? styleText(color, name, { validateStream: false }) : name;
  const clock = time.slice("2026-11-23T".length, -".000Z".length);
  const text = [clock, shown, onItsLines(msg), ...Object.entries(facts).map(fact)].join(" ");
  return err?.stack === undefined ? `${text}\n` : `${text}\n    ${onItsLines(err.stack)}\n`;
}

/** The line for lines that are missing, because a disk was full or nobody read the log. */
function lossLine(lost: number): string {
  const msg = `${lost} lines of the log are lost: it could not be written fast enough.`;
  return `${JSON.stringify({ level: "warn", time: new Date().toISOString(), lost, msg })}\n`;
}

/** Lines of JSON, or of text if SERVICE_LOG_FORMAT says so or people read them at a terminal. */
function destinationFor(descriptor: 1 | 2): DestinationStream {
  const isTerminal = isatty(descriptor);
  const isJson = (logFormat() ?? (isTerminal ? "text" : "json")) === "json";
  const format = (line: string) => (isJson ? line : toText(line, { isColored: isTerminal }));
  const write = tellLosses(standardSink(descriptor), (lost) => format(lossLine(lost)));
  return { write: (line) => write(format(line)) };
}

/**
 * What the log says of an error. Other properties are left out, because they may contain secrets: Node's warning of too many
 * listeners contains the response, whose request contains the client's token and cookie.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === "object" ? "an object that is no error" : String(error);
  const { type, message, stack } = pino.stdSerializers.err(error);
  return { type, message, stack, ...("code" in error && { code: String(error.code) }) };
}

/**
 * A log that writes elsewhere. Pino escapes the control characters of ASCII only, and a terminal that shows the log obeys the
 * others too.
 */
export function createLog(destination: DestinationStream, level = logLevel()): Logger {
  const printing = { write: (line: string) => destination.write(printable(line)) };
  const formatters = { level: (name: string) => ({ level: name }) };
  const mixin = () => {
    const traceId = currentTraceId();
    return traceId === undefined ? {} : { traceId };
  };
  const serializers = { err: describeError };
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters, mixin, serializers },
    printing,
  );
}

export const logState = processState("log", () => createLog(destinationFor(STANDARD_OUTPUT)));

/** The only log: one JSON object or line of text per event on standard output, at the configured level. */
export function log(): Logger {
  return logState.get();
}

/** Moves the log to standard error, for commands that write their result to standard output. */
export function logToStandardError(): void {
  logState.replace(createLog(destinationFor(STANDARD_ERROR)));
}
