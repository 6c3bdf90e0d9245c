import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { maintenanceStatements } from "#lib/db/embedded/maintenance.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";

let dir: string;
let database: PGlite;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "platen-test-"));
  await copyEmptyDatabase(dir);
  database = await PGlite.create(join(dir, "data"));
  await database.exec("create table notes (id integer primary key, text text)");
  await database.exec("insert into notes select number, 'as it was' from generate_series(1, 10) as number");
});
afterEach(async () => {
  await database.close();
  rmSync(dir, { recursive: true, force: true });
});

/** How many transactions ago the oldest row of any table of any database may have been written, by which PostgreSQL decides. */
async function oldestAge(): Promise<number> {
  await database.exec("checkpoint");
  const { rows } = await database.query<{ age: number }>(
    "select age(oldest_xid)::int as age from pg_control_checkpoint()",
  );
  return rows[0]?.age ?? 0;
}

/** @param from the number of the first row */
async function writeTransactions(count: number, from: number): Promise<void> {
  for (let id = from; id < from + count; id++) await database.query("insert into notes values ($1, 'new')", [id]);
}

async function runAll(statements: string[]): Promise<void> {
  for (const statement of statements) await database.exec(statement);
}

describe("the maintenance of the embedded database", () => {
  it("never lets rows of any database become so old that PostgreSQL refuses to write", async () => {
    await writeTransactions(500, 100);
    expect(await oldestAge()).toBeGreaterThan(500);
    await runAll(await maintenanceStatements(database, 400));
    expect(await oldestAge()).toBeLessThan(100);
    const { rows } = await database.query("select text, count(*)::int from notes group by text order by text");
    expect(rows).toEqual([
      { text: "as it was", count: 10 },
      { text: "new", count: 500 },
    ]);
  });

  it("leaves tables alone in which little has changed", async () => {
    await writeTransactions(50, 100);
    expect(await maintenanceStatements(database)).toEqual(["checkpoint"]);
  });
});
