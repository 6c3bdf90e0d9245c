import { logToStandardError } from "#lib/log.ts";

/** Thrown for wrong arguments. The message says what is wanted. */
export class UsageError extends Error {}

/** The message for an error, and the exit code. */
type Fault = { text: string; exitCode: number };

/** Runs a command that writes its result to standard output, and prints errors to standard error. */
export async function runCommand(main: () => Promise<void>, faultOf: (error: unknown) => Fault): Promise<void> {
  logToStandardError();
  // A pipe such as `| head` may close early.
  process.stdout.on("error", () => undefined);
  try {
    await main();
  } catch (error) {
    const { text, exitCode } = faultOf(error);
    console.error(text);
    process.exitCode = exitCode;
  }
}
