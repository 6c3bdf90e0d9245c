import { getTableColumns, getTableName, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { Connection } from "#lib/db/connection.ts";
import { query } from "#lib/db/database.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { isNewer, recordMigration } from "#lib/db/migrations.ts";
import * as schema from "#lib/db/schema.ts";
import { captureLog } from "#tests/captured-log.ts";
import { useDatabase } from "#tests/database.ts";
import { createOwnDatabase } from "#tests/database-server.ts";
import { runProgram } from "./program.ts";

useDatabase();

type Column = { table: string; name: string; type: string; isRequired: boolean };

/** The name that PostgreSQL gives a type of the schema. */
function nameOfType(type: string): string {
  return type.replace(
    /^timestamp (\(\d\) )?with time zone$/,
    (_, precision = "") => `timestamp${precision.trim()} with time zone`,
  );
}

function columnsOfSchema(): Column[] {
  const tables = Object.values(schema).filter((value) => value instanceof PgTable);
  return tables.flatMap((table) =>
    Object.values(getTableColumns(table)).map((column) => ({
      table: getTableName(table),
      name: column.name,
      type: nameOfType(column.getSQLType()),
      isRequired: column.notNull || column.primary,
    })),
  );
}

async function columnsOfTables(): Promise<Column[]> {
  return await query((db) =>
    db.execute<Column>(sql`
      select relname as table, attname as name, format_type(atttypid, atttypmod) as type, attnotnull as "isRequired"
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`),
  );
}

const sorted = (columns: Column[]) => columns.map((column) => JSON.stringify({ ...column })).toSorted();

describe("the migrations", () => {
  it("create the tables of the schema", async () => {
    expect(sorted(await columnsOfTables())).toEqual(sorted(columnsOfSchema()));
    expect(columnsOfSchema().length).toBeGreaterThan(30);
  });

  it("leave tables that PostgreSQL can replicate to another server, which refuses changes of others", async () => {
    await query((db) => db.execute(sql`create publication everything for all tables`));
    onTestFinished(async () => void (await query((db) => db.execute(sql`drop publication everything`))));
    for (const table of new Set((await columnsOfTables()).map((column) => column.table)))
      await query((db) => db.execute(sql`delete from ${sql.identifier(table)} where false`));
  });

  it("run once when three processes start on an empty database at the same moment", async () => {
    const { env, remove } = await createOwnDatabase();
    const programs = Array.from({ length: 3 }, () =>
      runProgram("ask-once", { env: { ...env, SERVICE_LOG_LEVEL: "info" } }),
    );
    const results = await Promise.all(programs.map(({ ended }) => ended));
    const output = programs.map((program) => program.output()).join("");
    await remove();
    expect(results, output).toEqual(programs.map(() => 0));
    expect(output.match(/was migrated to this version/g)).toHaveLength(1);
  }, 120_000);
});

it("a database that a newer version has migrated is served, and the log says so", async () => {
  await query((db) =>
    db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9e12)`),
  );
  onTestFinished(async () => {
    await query((db) => db.execute(sql`delete from drizzle.__drizzle_migrations where hash = 'later'`));
  });
  const lines = captureLog();
  await migrateDatabase();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    expect.stringMatching(/^A newer version of Platen has migrated this database\. This one serves it/),
  ]);
});

it("a migration is recorded on a server that got the tables by replication, which copies no sequences", async () => {
  const connection = await Connection.open(AbortSignal.timeout(30_000));
  onTestFinished(() => connection.close());
  await connection.begin();
  await connection.run("select setval('drizzle.__drizzle_migrations_id_seq', 1, false)");
  await recordMigration(connection, { at: 9e12, hash: "later", statements: [], indexes: undefined });
  expect(await isNewer(connection)).toBe(true);
  await connection.run("rollback");
});

it("a database whose tables are in another schema than the record of its migrations is refused", async () => {
  await query((db) => db.execute(sql`alter table usage rename to elsewhere`));
  onTestFinished(async () => {
    await query((db) => db.execute(sql`alter table elsewhere rename to usage`));
  });
  await expect(migrateDatabase()).rejects.toThrow(/got a database without "usage" in its schema "public"/);
});

it("a database where another program has a table of that name is refused with what to do", async () => {
  await query((db) => db.execute(sql`alter schema drizzle rename to lost`));
  onTestFinished(async () => {
    await query((db) => db.execute(sql`drop schema if exists drizzle cascade`));
    await query((db) => db.execute(sql`alter schema lost rename to drizzle`));
  });
  await expect(migrateDatabase()).rejects.toThrow(
    /relation "users" already exists, and no record in its schema "drizzle"/,
  );
});
