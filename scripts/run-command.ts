import { fstatSync, writeFileSync } from "node:fs";
import { ConfigError } from "#lib/environment/config-error.ts";
import { InvalidValue } from "#lib/environment/kinds.ts";
import { AppError } from "#lib/errors.ts";
import { explainFileFault } from "#lib/file-faults.ts";
import { logToStandardError } from "#lib/log.ts";
import { printable } from "#lib/printable.ts";

/** Thrown for wrong arguments. The message says what is wanted. */
export class UsageError extends Error {}

/** Thrown for `--help`. The message goes to standard output. */
export class HelpRequest extends Error {}

/** The largest number that an option takes. */
const LARGEST = 100_000;

/** The number of an option that is above 0. @throws UsageError with the usage */
export function positiveNumber(text: string, usage: string): number {
  const number = Number(text);
  if (number > 0 && number <= LARGEST) return number;
  throw new UsageError(`Got "${text}", want a number above 0, and ${LARGEST} at most.\n\n${usage}`);
}

/** The number of an option that counts something. @throws UsageError with the usage */
export function positiveInteger(text: string, usage: string): number {
  const number = positiveNumber(text, usage);
  if (Number.isInteger(number)) return number;
  throw new UsageError(`Got "${text}", want a whole number.\n\n${usage}`);
}

const STANDARD_OUTPUT = 1;

/** Errors whose message says what to do. */
const EXPECTED = [UsageError, ConfigError, InvalidValue, AppError];

/** The message of an error of the arguments, the environment, a file or a request, and the stack of any other one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPECTED.some((kind) => error instanceof kind)) return error.message;
  return explainFileFault(error) ?? ("code" in error ? error.message : String(error.stack));
}

/** Whether arguments are wrong. `parseArgs` has errors of its own for it. */
function isUsageError(error: unknown): boolean {
  return error instanceof UsageError || String((error as NodeJS.ErrnoException)?.code).startsWith("ERR_PARSE_ARGS");
}

/** The exit code of a command that ended with this error: 2 for wrong arguments, 130 for one that was stopped, otherwise 1. */
export function exitCodeOf(error: unknown): number {
  if (isUsageError(error)) return 2;
  return error instanceof Error && error.name === "AbortError" ? 130 : 1;
}

/** Node takes a write to a file for complete when a full disk has cut it short. `writeFileSync` writes the rest, or fails. */
function writeFilesWhole(descriptor: number, stream: NodeJS.WriteStream): void {
  if (!fstatSync(descriptor).isFile()) return;
  stream._write = (chunk, _encoding, done) => {
    try {
      writeFileSync(descriptor, chunk);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

/** A result that was not written is a failure. A pipe such as `| head` may close early. */
function failUnwritten(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED") return;
  console.error(`The result could not be written: ${reasonOf(error)}`);
  process.exitCode = 1;
}

/** Runs a command that writes its result to standard output, and prints errors to standard error. */
export async function runCommand(main: () => Promise<void>, textOf = reasonOf): Promise<void> {
  logToStandardError();
  writeFilesWhole(STANDARD_OUTPUT, process.stdout);
  process.stdout.on("error", failUnwritten);
  try {
    await main();
  } catch (error) {
    if (error instanceof HelpRequest) return console.log(error.message);
    // It may quote a file that comes from elsewhere.
    console.error(printable(textOf(error)));
    process.exitCode = exitCodeOf(error);
  }
}
