import { readFileSync } from "node:fs";
import { UsageError } from "../run-command.ts";

function textOf(argument: string): string {
  if (argument === "-") return readFileSync(0, "utf8");
  return argument.startsWith("@") ? readFileSync(argument.slice(1), "utf8") : argument;
}

/** The value of `--data`: JSON, `@` and the name of a file with JSON, or `-` for standard input. @throws UsageError */
export function readData(argument: string | undefined): unknown {
  if (argument === undefined) return undefined;
  try {
    return JSON.parse(textOf(argument));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`Got --data that is not JSON: ${error.message}`);
    throw error;
  }
}
