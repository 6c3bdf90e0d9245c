import { randomBytes } from "node:crypto";
import { VERSION } from "#lib/config.ts";
import type { Connection } from "../connection.ts";
import { appliedMigrations } from "../migrations.ts";
import { SNAPSHOT_PREFIX } from "./open-snapshot.ts";
import { type Part, type Row, Tally, type Total } from "./parts.ts";
import { listTables, type Table } from "./tables.ts";

/** The number of rows that are read at once. The embedded database serves others between two reads. */
const ROWS_AT_ONCE = 1_000;

/** Values as text depend on these settings. */
const TEXT_SETTINGS = ["timezone = 'UTC'", "datestyle = 'ISO'", "bytea_output = 'hex'", "intervalstyle = 'postgres'"];

/**
 * The table that may have millions of rows. They have a unique `id`, are never changed, and are only deleted while no snapshot is
 * open, so that they need not be copied aside.
 */
const APPEND_ONLY = "audit_events";

async function fixTextFormat(connection: Connection): Promise<void> {
  for (const setting of TEXT_SETTINGS) await connection.run(`set local ${setting}`);
}

/** Selects each column as text, under its name. */
function selectText({ name, columns }: Table): string {
  return `select ${columns.map((column) => `"${column.name}"::text`).join(", ")} from "${name}"`;
}

function valuesOf({ columns }: Table, rows: readonly Record<string, unknown>[]): Row[] {
  return rows.map((row) => columns.map(({ name }) => row[name] as string | null));
}

async function* readCursor(connection: Connection, cursor: string, table: Table): AsyncGenerator<Row[]> {
  for (;;) {
    const rows = await connection.run(`fetch ${ROWS_AT_ONCE} from "${cursor}"`);
    if (rows.length > 0) yield valuesOf(table, rows);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** A snapshot of the database: what it was at one moment. */
type Snapshot = {
  tables: Table[];
  migrations: number[];
  /** The cursors that hold the rows of tables aside, by the names of the tables. */
  cursors: Map<string, string>;
  /** The first transaction that the snapshot does not have. */
  nextTransaction: string;
};

/**
 * A transaction for all reads would keep the only session of the embedded database for as long as they take. Cursors that outlive
 * their transaction keep the moment instead: PostgreSQL copies their rows aside when it commits. For a million audit events that
 * takes seconds, in which nobody else is served. So these are read without a cursor, see {@link readAppendOnly}.
 */
async function openSnapshot(connection: Connection): Promise<Snapshot> {
  const id = `${SNAPSHOT_PREFIX}${randomBytes(6).toString("hex")}`;
  return await connection.transact(async () => {
    await connection.run("set transaction isolation level repeatable read");
    await fixTextFormat(connection);
    const tables = await listTables(connection);
    const held = tables.filter(({ name }) => name !== APPEND_ONLY);
    const cursors = new Map(held.map(({ name }) => [name, `${id}_${name}`]));
    for (const table of held)
      await connection.run(`declare "${cursors.get(table.name)}" no scroll cursor with hold for ${selectText(table)}`);
    const [next] = await connection.run("select pg_snapshot_xmax(pg_current_snapshot())::text as next");
    return { tables, migrations: await appliedMigrations(connection), cursors, nextTransaction: String(next?.next) };
  });
}

/**
 * Reads the rows that transactions before `nextTransaction` have added. The embedded database runs one transaction after the
 * other, so those with a lower number are the earlier ones.
 */
async function* readAppendOnly(connection: Connection, table: Table, nextTransaction: string): AsyncGenerator<Row[]> {
  const idColumn = table.columns.findIndex(({ name }) => name === "id");
  let after: string[] = [];
  for (;;) {
    const rows = await connection.transact(async () => {
      await fixTextFormat(connection);
      const where = `xmin::text::bigint < $1::text::bigint ${after.length > 0 ? "and id > $2::text::uuid" : ""}`;
      const select = `${selectText(table)} where ${where} order by "${table.name}".id limit ${ROWS_AT_ONCE}`;
      return valuesOf(table, await connection.run(select, [nextTransaction, ...after]));
    });
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = [String(rows.at(-1)?.[idColumn])];
  }
}

/** Reads every table of an embedded database as it is at one moment, while others write. */
export async function* readSnapshot(connection: Connection): AsyncGenerator<Part> {
  const { tables, migrations, cursors, nextTransaction } = await openSnapshot(connection);
  const totals: Record<string, Total> = {};
  try {
    yield { format: "platen-database", version: 1, platen: VERSION, createdAt: new Date().toISOString(), migrations };
    for (const table of tables) {
      yield { table: table.name, columns: table.columns.map(({ name }) => name) };
      const tally = new Tally();
      const cursor = cursors.get(table.name);
      const read = cursor ? readCursor(connection, cursor, table) : readAppendOnly(connection, table, nextTransaction);
      for await (const rows of read) {
        tally.add(rows);
        yield { rows };
      }
      totals[table.name] = tally.total();
    }
    yield { totals };
  } finally {
    // Not earlier: events are not pruned while a cursor is open.
    for (const cursor of cursors.values()) await connection.run(`close "${cursor}"`).catch(() => undefined);
  }
}

/** Reads one table in the current transaction, for its total. @throws the signal's reason; the error of the connection */
export async function totalOf(connection: Connection, table: Table, signal?: AbortSignal): Promise<Total> {
  await fixTextFormat(connection);
  const cursor = "platen_check";
  await connection.run(`declare "${cursor}" no scroll cursor for ${selectText(table)}`);
  const tally = new Tally();
  for await (const rows of readCursor(connection, cursor, table)) {
    signal?.throwIfAborted();
    tally.add(rows);
  }
  await connection.run(`close "${cursor}"`);
  return tally.total();
}
