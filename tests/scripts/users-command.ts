import { spawn } from "node:child_process";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { exitCodeOf } from "#scripts/run-command.ts";
import { explainFailure, runUsersCommand } from "#scripts/users/run.ts";
import { LONG_LIMITS } from "../db/program.ts";

type Run = { code: number | null; output: string; complaints: string };

export const THROUGH_NPM = ["npm", "run", "--silent", "users", "--"];

/** The same without npm, which takes half of the time. */
const DIRECTLY = [
  process.execPath,
  "--import",
  "./scripts/launch/guard.mjs",
  "--import",
  LONG_LIMITS,
  "scripts/users.ts",
];

/** Runs the real command in open mode, where it also manages users. */
export async function run(words: string[], { input = "", environment = {}, by = DIRECTLY } = {}): Promise<Run> {
  const env = { ...process.env, SERVICE_AUTH_ENABLED: "", SERVICE_LOG_LEVEL: "info", ...environment };
  const [command = "", ...first] = by;
  const child = spawn(command, [...first, ...words], { env });
  child.stdin.on("error", () => undefined).end(input);
  const [output, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { code, output, complaints };
}

/** Runs the same command in this process, which takes a hundredth of the time. */
export async function runHere(
  args: string[],
  { input = "" } = {},
): Promise<Omit<Run, "complaints"> & { complaint: string }> {
  let printed = "";
  const print = async (text: string) => {
    printed += text;
    return true;
  };
  const terminal = { input: Readable.from([Buffer.from(input)]), output: new PassThrough(), print };
  try {
    return { code: 0, output: (await runUsersCommand({ args, terminal })) ?? printed, complaint: "" };
  } catch (error) {
    return { code: exitCodeOf(error), output: "", complaint: explainFailure(error) };
  }
}
