import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { databaseConfig } from "#lib/config.ts";
import type { Connection } from "#lib/db/connection.ts";
import { databaseName } from "#lib/db/connection-options.ts";
import { checkBackup, readBackup, type Totals, writeBackup } from "#lib/db/transfer/backup-file.ts";
import { compareRows, type Difference } from "#lib/db/transfer/compare-rows.ts";
import { DatabaseNotEmpty, LoadFault, loadTables } from "#lib/db/transfer/load-tables.ts";
import type { Part } from "#lib/db/transfer/parts.ts";
import { readSnapshot } from "#lib/db/transfer/read-tables.ts";
import { UsageError } from "../run-command.ts";
import { type Report, requireEmbeddedData, withEmbedded, withOwnEmbedded, withPostgres } from "./connect.ts";

/** Prints progress to standard error after each such number of rows. */
const PROGRESS_ROWS = 100_000;

export type Options = { file: string; isReplacing: boolean; signal: AbortSignal; report: Report };

const count = (number: number) => number.toLocaleString("en");

function describe(totals: Totals): string {
  const tables = Object.entries(totals).filter(([, { rows }]) => rows > 0);
  const all = tables.reduce((sum, [, { rows }]) => sum + rows, 0);
  const each = tables.map(([name, { rows }]) => `  ${name}: ${count(rows)}`).join("\n");
  return `${count(all)} rows:\n${each}`;
}

/** Tells how many rows of a large table are done. */
function progress(report: Report) {
  return ({ table, rows }: { table: string; rows: number }) => {
    if (rows > 0 && rows % PROGRESS_ROWS === 0) report(`${table}: ${count(rows)} rows …`);
  };
}

async function* withProgress(parts: AsyncIterable<Part>, report: Report): AsyncGenerator<Part> {
  const onProgress = progress(report);
  let table = "";
  let rows = 0;
  for await (const part of parts) {
    if ("table" in part) [table, rows] = [part.table, 0];
    else if ("rows" in part) {
      rows += part.rows.length;
      onProgress({ table, rows });
    }
    yield part;
  }
}

/** Ends the comparison of a move when the command is stopped. */
async function* untilStopped(parts: AsyncIterable<Part>, signal: AbortSignal): AsyncGenerator<Part> {
  for await (const part of parts) {
    signal.throwIfAborted();
    yield part;
  }
}

/** @throws Error with what to do; the signal's reason */
async function check(file: string, signal?: AbortSignal) {
  return await checkBackup(file, signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`There is no file ${file}.`);
    if (code === "EISDIR") throw new Error(`${file} is a folder. Name the file of a backup.`);
    throw new Error(`${file} cannot be restored: ${(error as Error).message}. Use another backup.`);
  });
}

/** Writes the embedded database to a file, while a server uses it or not. */
export async function backup({ file, signal, report }: Options): Promise<string> {
  if (databaseConfig().url)
    throw new UsageError(
      "DATABASE_URL is set, and this command saves the embedded database. Use pg_dump for PostgreSQL.",
    );
  requireEmbeddedData();
  if (existsSync(file)) throw new UsageError(`${file} is there already. Name a new file.`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw new UsageError(`There is no folder ${folder}. Make it, or name another file.`);
  await withEmbedded({ report, signal }, (connection) =>
    writeBackup(file, withProgress(readSnapshot(connection), report), signal),
  );
  const { totals } = await check(file);
  return `Wrote ${resolve(file)} (${count(statSync(file).size)} bytes) with ${describe(totals)}\nIt holds email addresses and password hashes: keep it private.`;
}

/** Reads a whole backup without a database. */
export async function verify({ file, signal }: Options): Promise<string> {
  const { createdAt, platen, totals } = await check(file, signal);
  return `${file} is whole: written at ${createdAt} by Platen ${platen}, with ${describe(totals)}`;
}

/** Loads a backup into the database of the configuration. */
export async function restore({ file, isReplacing, signal, report }: Options): Promise<string> {
  await check(file, signal);
  const load = (connection: Connection) =>
    loadTables(connection, { parts: readBackup(file), isReplacing, signal, onProgress: progress(report) });
  const loading = databaseConfig().url ? withPostgres(load) : withOwnEmbedded(report, load);
  const totals = await loading.catch((error: unknown) => {
    if (!(error instanceof DatabaseNotEmpty)) throw error;
    throw new LoadFault(`${error.message} Add --overwrite to replace all of its users, tokens and events.`);
  });
  return `Restored ${databaseName()} with ${describe(totals)}`;
}

/** Copies the embedded database to the PostgreSQL of `DATABASE_URL`. No server may run meanwhile. */
export async function move({ signal, report }: Options): Promise<string> {
  const { url, dir } = databaseConfig();
  if (!url) throw new UsageError("DATABASE_URL is not set. Set it to the PostgreSQL database to move to.");
  requireEmbeddedData();
  const moved = await withOwnEmbedded(report, (source) =>
    withPostgres(async (target) => {
      const options = { isReplacing: false, signal, onProgress: progress(report) };
      const load = loadTables(target, { parts: readSnapshot(source), ...options });
      const totals = await load.catch(async (error: unknown) => {
        if (!(error instanceof DatabaseNotEmpty)) throw error;
        await requireSameRows(target, untilStopped(readSnapshot(source), signal), error);
      });
      if (totals) return `Moved to ${databaseName()}, read back and compared: ${describe(totals)}`;
      return `An earlier move to ${databaseName()} was complete: it has every row of the embedded database. Nothing was changed.`;
    }),
  );
  return `${moved}\nStart every server with this DATABASE_URL. ${dir} is as it was: delete it once they run.`;
}

function describeDifference({ table, wanted, rows }: Difference): string {
  if (rows === undefined) return `${table} is missing, or one of its columns`;
  if (rows === wanted) return `${table} has ${count(rows)} rows in both, which are not the same`;
  return `${table} has ${count(rows)} rows, and ${count(wanted)} in the embedded database`;
}

/** For a repeated move: the first one may have been killed after its commit. @throws LoadFault when the rows differ */
async function requireSameRows(target: Connection, parts: AsyncIterable<Part>, cause: DatabaseNotEmpty): Promise<void> {
  const differences = await compareRows(target, parts);
  if (differences.length === 0) return;
  throw new LoadFault(
    `${cause.message} They differ from those of the embedded database: ${differences.map(describeDifference).join("; ")}. Nothing was changed. Move into an empty database. If an earlier move was complete, and servers have used that database since, there is nothing to move.`,
    { cause },
  );
}
