import { parseArgs } from "node:util";
import { AppError } from "#lib/errors.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { openDatabaseForCommand } from "./database.ts";
import { loadEnvironment } from "./environment.ts";
import { runCommand, UsageError } from "./run-command.ts";
import type { Options } from "./users/command.ts";
import { COMMANDS } from "./users/commands.ts";
import { USAGE } from "./users/usage.ts";

const FAULT = 1;
const MISUSE = 2;

function readArguments() {
  if (process.argv.some((argument) => /^--pass(word)?\b/.test(argument)))
    throw new UsageError(
      "A password is never taken from the command line, where every process of the machine can read it and the shell " +
        "remembers it. Leave it out to be asked for it, or pipe it in.",
    );
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        name: { type: "string" },
        admin: { type: "boolean" },
        json: { type: "boolean" },
        yes: { type: "boolean", short: "y" },
        limit: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(". To specify")[0]}\n\n${USAGE}`);
  }
}

function findCommand(name: string | undefined) {
  if (name === undefined) throw new UsageError(USAGE);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command;
  const nearest = nearestName(name, Object.keys(COMMANDS));
  throw new UsageError(`Unknown command.${nearest ? ` Did you mean "${nearest}"?` : ""}\n\n${USAGE}`);
}

/** @throws UsageError, and whatever the command does */
async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  if (values.help) return console.log(USAGE);
  const [name, ...words] = positionals;
  const command = findCommand(name);
  if (words.length !== command.words.length)
    throw new UsageError(`Want: npm run users -- ${[name, ...command.words.map((word) => `<${word}>`)].join(" ")}`);
  const { help: _, ...options } = values;
  for (const option of Object.keys(options))
    if (!command.options.includes(option as keyof Options)) throw new UsageError(`"${name}" knows no --${option}.`);
  loadEnvironment("production");
  const act = await command.prepare({ words, options, terminal: { input: process.stdin, output: process.stderr } });
  const close = await openDatabaseForCommand();
  try {
    console.log(await act());
  } finally {
    await close();
  }
}

function explain(error: unknown): string {
  if (error instanceof AppError)
    return error.issues.length > 0
      ? error.issues.map(({ path, message }) => `${path.slice(1)}: ${message}`).join("\n")
      : error.message;
  return error instanceof Error ? error.message : String(error);
}

await runCommand(main, (error) => ({
  text: explain(error),
  exitCode: error instanceof UsageError ? MISUSE : FAULT,
}));
