import { readFileSync } from "node:fs";
import { UsageError } from "../run-command.ts";
import { JsonRefused, parseJson } from "./parse-json.ts";

/** Editors write byte order marks, which are no JSON. Other encodings would be drawn as wrong letters. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError("Got --data in another encoding than UTF-8. Save it as UTF-8.");
  }
}

function textOf(argument: string): string {
  if (argument === "-") return decode(readFileSync(0));
  return argument.startsWith("@") ? decode(readFileSync(argument.slice(1))) : argument;
}

/** The value of `--data`: JSON, `@` and the name of a file with JSON, or `-` for standard input. @throws UsageError */
export function readData(argument: string | undefined): unknown {
  if (argument === undefined) return undefined;
  try {
    return parseJson(textOf(argument));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`Got --data that is not JSON: ${error.message}`);
    if (error instanceof JsonRefused) throw new UsageError(`Got --data that the service refuses:\n${error.message}`);
    throw error;
  }
}
