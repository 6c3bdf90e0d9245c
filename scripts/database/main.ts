import { parseArgs } from "node:util";
import { databaseRemedy } from "#lib/db/connection-options.ts";
import { isUnavailable, sanitizeError, unavailableReason } from "#lib/db/database-faults.ts";
import { loadEnvironment } from "../environment.ts";
import { runCommand, UsageError } from "../run-command.ts";
import { stopCommandOnSignal } from "../start/stop-signal.ts";
import { backup, move, type Options, restore, verify } from "./commands.ts";

const USAGE = `Saves the embedded database, restores it, and moves it to PostgreSQL.

  npm run database -- backup <file>                  write all rows to a new file, also while the server runs
  npm run database -- verify <file>                  read a backup, and compare its rows with its totals
  npm run database -- restore <file> [--overwrite]   load a backup into an empty database
  npm run database -- move                           copy the embedded database to the PostgreSQL of DATABASE_URL

  --overwrite   replace every row of a database that is in use

restore fills the database that a server would use: DATABASE_URL, or else the embedded one. Stop the server before restore and move.`;

const COMMANDS: Record<string, { run: (options: Options) => Promise<string>; words: number; overwrites?: true }> = {
  backup: { run: backup, words: 1 },
  verify: { run: verify, words: 1 },
  restore: { run: restore, words: 1, overwrites: true },
  move: { run: move, words: 0 },
};

function readArguments(args: string[]) {
  try {
    const options = { overwrite: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(". To specify")[0]}\n\n${USAGE}`);
  }
}

async function main(signal: AbortSignal): Promise<string> {
  loadEnvironment("production");
  const { values, positionals } = readArguments(process.argv.slice(2));
  if (values.help) return USAGE;
  const [name = "", ...words] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(name === "" ? USAGE : `Unknown command "${name}".\n\n${USAGE}`);
  if (words.length !== command.words)
    throw new UsageError(`Got ${words.length} arguments for ${name}, want ${command.words}.\n\n${USAGE}`);
  if (values.overwrite && !command.overwrites) throw new UsageError(`"${name}" has no option --overwrite.`);
  return await command.run({
    file: words[0] ?? "",
    isReplacing: values.overwrite === true,
    signal,
    report: (message) => console.error(message),
  });
}

function explain(error: unknown): string {
  const fault = error instanceof Error ? error : new Error(String(error));
  if (fault instanceof UsageError) return fault.message;
  if (fault.name === "AbortError") return "Stopped. Nothing was changed.";
  if (!isUnavailable(error)) return (sanitizeError(fault) as Error).message;
  return `The database cannot be reached (${unavailableReason(error)}). ${databaseRemedy()}`;
}

const stopping = new AbortController();
stopCommandOnSignal(() => stopping.abort());
await runCommand(async () => console.log(await main(stopping.signal)), explain);
