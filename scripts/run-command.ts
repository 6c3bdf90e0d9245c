import { logToStandardError } from "#lib/log.ts";

/** A command that was typed wrongly: its message says how it is meant. */
export class UsageError extends Error {}

/** What is said of something that went wrong, and the exit code that tells of it. */
type Fault = { text: string; exitCode: number };

/** Runs a command whose output people and pipes read. What goes wrong is said on standard error. */
export async function runCommand(main: () => Promise<void>, faultOf: (error: unknown) => Fault): Promise<void> {
  logToStandardError();
  // Whoever read the output has seen enough.
  process.stdout.on("error", () => undefined);
  try {
    await main();
  } catch (error) {
    const { text, exitCode } = faultOf(error);
    console.error(text);
    process.exitCode = exitCode;
  }
}
