import type { Connection } from "../connection.ts";
import { MIGRATION_LOCK } from "../migrate.ts";
import {
  createdObjects,
  createRecords,
  forgetMigrations,
  isNewer,
  type Migration,
  readMigrations,
  recordMigration,
} from "../migrations.ts";
import { requireServer } from "../requirements.ts";
import type { Part, Row, Total } from "./parts.ts";
import { totalOf } from "./read-tables.ts";
import { listTables, type Table } from "./tables.ts";

/** The rows cannot be loaded, and the database is as it was. The message says why, and what to do. */
export class LoadFault extends Error {}

/** The database has rows, which are not replaced unless that is wanted. */
export class DatabaseNotEmpty extends LoadFault {}

/** Tables whose rows a migration writes. They do not make a database a used one. */
const FILLED_BY_MIGRATIONS = ["throttle_secret"];

type LoadOptions = {
  parts: AsyncIterable<Part>;
  /** Whether the rows of a database that is in use are replaced. */
  isReplacing: boolean;
  /** Ends the transaction, until it commits. */
  signal: AbortSignal;
  onProgress: (progress: { table: string; rows: number }) => void;
};

/** The tables of Platen that are there. Others may share their schema. */
async function ownTables(connection: Connection): Promise<Table[]> {
  const own = new Set(createdObjects().tables);
  return (await listTables(connection)).filter(({ name }) => own.has(name));
}

/** The tables of Platen that have rows. */
async function usedTables(connection: Connection): Promise<string[]> {
  const used: string[] = [];
  for (const { name } of await ownTables(connection)) {
    const [answer] = await connection.run(`select exists (select from "${name}") as "hasRows"`);
    if (answer?.hasRows === true && !FILLED_BY_MIGRATIONS.includes(name)) used.push(name);
  }
  return used;
}

async function requireKnownVersion(connection: Connection): Promise<void> {
  if (!(await isNewer(connection))) return;
  throw new LoadFault("The database has tables of a newer version of Platen. Use that version, or an empty database.");
}

async function dropTables(connection: Connection): Promise<void> {
  const { tables, functions } = createdObjects();
  for (const name of tables) await connection.run(`drop table if exists "${name}" cascade`);
  for (const name of functions) await connection.run(`drop function if exists "${name}"() cascade`);
  await createRecords(connection);
  await forgetMigrations(connection);
}

async function apply(connection: Connection, migration: Migration): Promise<void> {
  // Nobody else can use the new tables before the transaction ends.
  for (const statement of migration.statements) await connection.run(statement.replace("INDEX CONCURRENTLY", "INDEX"));
  await recordMigration(connection, migration);
}

/** Creates the tables as they were when the rows were read. @returns the migrations that came later */
async function createTables(connection: Connection, wanted: number[]): Promise<Migration[]> {
  const known = readMigrations();
  const missing = wanted.filter((at) => !known.some((migration) => migration.at === at));
  if (missing.length > 0)
    throw new LoadFault("The rows are of a newer version of Platen. Update this one first, then try again.");
  for (const migration of known.filter(({ at }) => wanted.includes(at))) await apply(connection, migration);
  for (const name of FILLED_BY_MIGRATIONS)
    if ((await listTables(connection)).some((table) => table.name === name))
      await connection.run(`delete from "${name}"`);
  return known.filter(({ at }) => !wanted.includes(at));
}

/** Inserts rows whose values are text. @param columns the columns of `rows`, in their order */
async function insertRows({ connection, table, columns, rows }: InsertOptions): Promise<void> {
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const names = columns.map((name) => `"${name}"`).join(", ");
  const values = columns.map((name, index) => `(entry ->> ${index})::${types.get(name)}`).join(", ");
  const insert = `insert into "${table.name}" (${names}) select ${values} from json_array_elements($1::text::json) as entry`;
  await connection.run(insert, [JSON.stringify(rows)]);
}

type InsertOptions = { connection: Connection; table: Table; columns: string[]; rows: Row[] };

type CompareOptions = { totals: Record<string, Total>; signal: AbortSignal };

async function compareTotals(connection: Connection, { totals, signal }: CompareOptions): Promise<void> {
  for (const table of await listTables(connection)) {
    const wanted = totals[table.name];
    if (!wanted) continue;
    const got = await totalOf(connection, table, signal);
    if (got.rows !== wanted.rows || got.hash !== wanted.hash)
      throw new LoadFault(
        `The database keeps the rows of "${table.name}" differently: got ${got.rows}, want ${wanted.rows}. Its encoding must be UTF8.`,
      );
  }
}

async function loadParts(
  connection: Connection,
  { parts, signal, onProgress }: LoadOptions,
): Promise<Record<string, Total>> {
  let later: Migration[] = [];
  let tables: Table[] = [];
  let into: Omit<InsertOptions, "rows"> | undefined;
  let loaded = 0;
  let totals: Record<string, Total> = {};
  for await (const part of parts) {
    signal.throwIfAborted();
    if ("format" in part) {
      later = await createTables(connection, part.migrations);
      tables = await ownTables(connection);
    } else if ("table" in part) {
      const table = tables.find(({ name }) => name === part.table);
      if (!table) throw new LoadFault(`There is no table "${part.table}" in this version of Platen.`);
      const unknown = part.columns.find((column) => !table.columns.some(({ name }) => name === column));
      if (unknown !== undefined) throw new LoadFault(`The table "${table.name}" has no column "${unknown}".`);
      into = { connection, table, columns: part.columns };
      loaded = 0;
    } else if ("rows" in part && into) {
      await insertRows({ ...into, rows: part.rows });
      loaded += part.rows.length;
      onProgress({ table: into.table.name, rows: loaded });
    } else if ("totals" in part) totals = part.totals;
  }
  await compareTotals(connection, { totals, signal });
  for (const migration of later) {
    signal.throwIfAborted();
    await apply(connection, migration);
  }
  signal.throwIfAborted();
  return totals;
}

/**
 * Fills a database with the tables and rows of `parts`, reads them back, and brings the tables to this version. All of it is one
 * transaction, so that a failure leaves the database as it was.
 * @returns what was loaded
 * @throws LoadFault; ConfigError when PostgreSQL is too old or its encoding is another one; the signal's reason; the error of `parts`, of the connection or of a
 * statement
 */
export async function loadTables(connection: Connection, options: LoadOptions): Promise<Record<string, Total>> {
  await requireServer(connection);
  const totals = await connection.transact(async () => {
    await connection.allowLongStatements("local");
    // Between two statements, rows of the other database are read.
    await connection.limitIdleTime(0);
    // Neither two of these nor a server that starts meanwhile may create the tables at once.
    await connection.run(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await requireKnownVersion(connection);
    const used = await usedTables(connection);
    if (used.length > 0 && !options.isReplacing)
      throw new DatabaseNotEmpty(`The database has rows already, in ${used.join(", ")}.`);
    await dropTables(connection);
    return await loadParts(connection, options);
  });
  await connection.allowLongStatements("session");
  for (const { name } of await listTables(connection)) await connection.run(`analyze "${name}"`);
  return totals;
}
