import { randomBytes } from "node:crypto";
import { VERSION } from "#lib/config.ts";
import type { Connection } from "../connection.ts";
import { appliedMigrations } from "../migrations.ts";
import { type Part, type Row, Tally, type Total } from "./parts.ts";
import { listTables, type Table } from "./tables.ts";

/** The number of rows that are read at once. The embedded database serves others between two reads. */
const ROWS_AT_ONCE = 1_000;

/** Values as text depend on these settings. */
const TEXT_SETTINGS = ["timezone = 'UTC'", "datestyle = 'ISO'", "bytea_output = 'hex'", "intervalstyle = 'postgres'"];

async function fixTextFormat(connection: Connection): Promise<void> {
  for (const setting of TEXT_SETTINGS) await connection.run(`set local ${setting}`);
}

type CursorOptions = { cursor: string; table: Table; isHeld: boolean };

function declareCursor({ cursor, table, isHeld }: CursorOptions): string {
  const values = table.columns.map(({ name }) => `"${name}"::text`).join(", ");
  return `declare "${cursor}" no scroll cursor ${isHeld ? "with hold" : ""} for select ${values} from "${table.name}"`;
}

async function* readCursor(connection: Connection, cursor: string, { columns }: Table): AsyncGenerator<Row[]> {
  for (;;) {
    const rows = await connection.run(`fetch ${ROWS_AT_ONCE} from "${cursor}"`);
    if (rows.length > 0) yield rows.map((row) => columns.map(({ name }) => row[name] as string | null));
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/**
 * Reads every table as it is at one moment, while others write. A transaction for all of it would keep the only session of the
 * embedded database for as long as it takes. Cursors that outlive their transaction keep the moment instead: PostgreSQL copies
 * the rows aside when it commits, which takes about two seconds for a million rows.
 */
export async function* readSnapshot(connection: Connection): AsyncGenerator<Part> {
  const id = `platen_backup_${randomBytes(6).toString("hex")}`;
  const { tables, migrations } = await connection.transact(async () => {
    await connection.run("set transaction isolation level repeatable read");
    await fixTextFormat(connection);
    const tables = await listTables(connection);
    for (const table of tables)
      await connection.run(declareCursor({ cursor: `${id}_${table.name}`, table, isHeld: true }));
    return { tables, migrations: await appliedMigrations(connection) };
  });
  const totals: Record<string, Total> = {};
  const open = new Set(tables.map(({ name }) => `${id}_${name}`));
  try {
    yield { format: "platen-database", version: 1, platen: VERSION, createdAt: new Date().toISOString(), migrations };
    for (const table of tables) {
      yield { table: table.name, columns: table.columns.map(({ name }) => name) };
      const tally = new Tally();
      for await (const rows of readCursor(connection, `${id}_${table.name}`, table)) {
        tally.add(rows);
        yield { rows };
      }
      totals[table.name] = tally.total();
      await connection.run(`close "${id}_${table.name}"`);
      open.delete(`${id}_${table.name}`);
    }
    yield { totals };
  } finally {
    for (const cursor of open) await connection.run(`close "${cursor}"`).catch(() => undefined);
  }
}

/** Reads one table in the current transaction, for its total. */
export async function totalOf(connection: Connection, table: Table): Promise<Total> {
  await fixTextFormat(connection);
  const cursor = "platen_check";
  await connection.run(declareCursor({ cursor, table, isHeld: false }));
  const tally = new Tally();
  for await (const rows of readCursor(connection, cursor, table)) tally.add(rows);
  await connection.run(`close "${cursor}"`);
  return tally.total();
}
