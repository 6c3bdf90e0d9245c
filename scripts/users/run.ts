import { parseArgs } from "node:util";
import { databaseRemedy } from "#lib/db/connection-options.ts";
import { databaseOutage } from "#lib/db/database.ts";
import { AppError } from "#lib/errors.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { openDatabaseForCommand } from "../database.ts";
import { UsageError } from "../run-command.ts";
import type { Terminal } from "./ask.ts";
import { audit } from "./audit.ts";
import { type Command, issuesOf, type Options } from "./command.ts";
import { changePassword, create, deactivate, list, reactivate, remove, setRole, unlock } from "./people.ts";
import { revoke, tokens } from "./tokens.ts";

const COMMANDS: Record<string, Command> = {
  create,
  list,
  "set-password": changePassword,
  unlock,
  "set-role": setRole,
  deactivate,
  reactivate,
  delete: remove,
  tokens,
  revoke,
  audit,
};

const USAGE = `Manages users and their tokens on this machine. It works whether or not the server runs.

  npm run users -- create <email> [--name <name>] [--admin]
  npm run users -- list [--json]
  npm run users -- set-password <email>
  npm run users -- unlock <email>
  npm run users -- set-role <email> user|admin
  npm run users -- deactivate <email>
  npm run users -- reactivate <email>
  npm run users -- delete <email> [--yes]
  npm run users -- tokens <email> [--json]
  npm run users -- revoke <token id, or the start of its secret>
  npm run users -- audit [--limit <number>] [--json]
  npm run users -- audit --format jsonl|csv [--since <date>] [--until <date>] [--action <action>] [--user <email or id>]
  npm run users -- audit --verify [--expect <hash>] [--json]

  --name <name>     the user's name; the part before the @ when absent
  --admin           create an administrator, who may manage users
  --yes             delete without confirmation
  --limit <number>  the number of events, the newest first; 50 when absent
  --format <format> export all events, the oldest first, or those of the options after it; dates are in UTC and included
  --verify          compare the audit trail with its seals, and print the head of the chain, to keep elsewhere
  --expect <hash>   a head that was kept elsewhere: it must be in the chain
  --json            print JSON for programs (use npm run --silent)

Passwords are asked for on a terminal and otherwise read from standard input. They have 12 to 256 characters.`;

function readArguments(args: string[]) {
  if (args.some((argument) => /^--pass(word)?\b/.test(argument)))
    throw new UsageError(
      "A password cannot be given on the command line: every process of the machine can read it there, and the shell keeps " +
        "it in its history. Leave it out to be asked for it, or pipe it in.",
    );
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: "string" },
        admin: { type: "boolean" },
        json: { type: "boolean" },
        yes: { type: "boolean", short: "y" },
        limit: { type: "string" },
        format: { type: "string" },
        action: { type: "string" },
        user: { type: "string" },
        since: { type: "string" },
        until: { type: "string" },
        verify: { type: "boolean" },
        expect: { type: "string" },
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

/** Adds why the database does not answer, and what to do. The message for clients of the service keeps that back. */
function failWithReason(error: unknown): never {
  const outage = databaseOutage();
  if (!(outage && error instanceof AppError && error.code === "unavailable")) throw error;
  throw new Error(`The database cannot be reached: ${outage.reason}. ${databaseRemedy()}`);
}

/**
 * Runs a command, whether or not a server runs. The environment must be loaded.
 * @returns the output; undefined when the command has printed it
 * @throws UsageError; the error of the command
 */
export async function runUsersCommand({
  args,
  terminal,
}: {
  args: string[];
  terminal: Terminal;
}): Promise<string | undefined> {
  const { values, positionals } = readArguments(args);
  if (values.help) return USAGE;
  const [name, ...words] = positionals;
  const command = findCommand(name);
  if (words.length !== command.words.length)
    throw new UsageError(
      `Got ${words.length} arguments, want: npm run users -- ${[name, ...command.words.map((word) => `<${word}>`)].join(" ")}`,
    );
  const { help: _, ...options } = values;
  for (const option of Object.keys(options))
    if (!command.options.includes(option as keyof Options))
      throw new UsageError(`"${name}" has no option --${option}.`);
  const run = await command.prepare({ words, options, terminal });
  const close = await openDatabaseForCommand().catch(failWithReason);
  try {
    return await run().catch(failWithReason);
  } finally {
    await close();
  }
}

/** The message for an error of {@link runUsersCommand}. */
export function explainFailure(error: unknown): string {
  if (error instanceof AppError) return issuesOf(error);
  return error instanceof Error ? error.message : String(error);
}
