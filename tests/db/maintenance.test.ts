import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { growthStatements, maintain, maintenanceStatements } from "#lib/db/embedded/maintenance.ts";
import { SessionQueue } from "#lib/db/embedded/session-queue.ts";
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

  it("makes PostgreSQL forget the plan of a statement for a table that has grown", async () => {
    const flush = () => database.exec("select pg_stat_force_next_flush()");
    const plan = async () => {
      const { rows } = await database.query<{ "QUERY PLAN": string }>("explain execute find(1)");
      return rows[0]?.["QUERY PLAN"] ?? "";
    };
    await database.exec("analyze notes");
    await database.exec("prepare find(integer) as select from notes where id = $1");
    for (let round = 0; round < 10; round++) await database.exec("execute find(1)");
    await database.exec("insert into notes select number, 'new' from generate_series(100, 20000) as number");
    await flush();
    expect(await plan()).toContain("Seq Scan");
    expect(await growthStatements(database)).toEqual(["analyze public.notes"]);
    await runAll(await growthStatements(database));
    expect(await plan()).toContain("Index");
    await database.exec("update notes set text = 'other' where id > 15000");
    await flush();
    expect(await growthStatements(database)).toEqual([]);
  });

  it("goes on after a statement that PostgreSQL refuses, and so does the database", async () => {
    await database.exec(`
      create function given(number integer) returns integer immutable language sql as 'select number';
      create index notes_given on notes (given(id));
      create or replace function given(number integer) returns integer immutable language plpgsql as
        'begin raise exception using errcode = ''disk_full'', message = ''no room''; end';
      create table others (id integer);
      insert into others select generate_series(1, 3000);
    `);
    // Statistics of an index are made with its function, which `update` of another column does not call.
    for (let round = 0; round < 150; round++) await database.exec("update notes set text = text");
    await database.exec("select pg_stat_force_next_flush()");
    const statements = await maintenanceStatements(database);
    expect(statements.slice(-1)).toEqual(["checkpoint"]);
    expect(statements.indexOf("analyze public.others")).toBeGreaterThan(statements.indexOf("analyze public.notes"));
    const refusals: string[] = [];
    const queue = new SessionQueue(() => undefined);
    const room = () => Number.POSITIVE_INFINITY;
    maintain({
      database,
      find: maintenanceStatements,
      queue,
      room,
      onRefusal: ({ message }) => refusals.push(message),
    });
    await expect.poll(() => maintenanceStatements(database)).not.toContain("analyze public.others");
    await queue.close();
    expect(refusals).toEqual(["no room"]);
    expect((await database.query("select count(*)::int from notes")).rows).toEqual([{ count: 10 }]);
  });

  it.each([
    { room: "none", bytes: 0, executed: [] },
    { room: "too little for its log", bytes: 15_000_000, executed: ["checkpoint"] },
  ])("does not end a database whose disk has $room", async ({ bytes, executed }) => {
    await database.exec("insert into notes select number, 'new' from generate_series(100, 3000) as number");
    await database.exec("select pg_stat_force_next_flush()");
    const { length } = await maintenanceStatements(database);
    const exec = vi.spyOn(database, "exec");
    const refusals: string[] = [];
    const queue = new SessionQueue(() => undefined);
    maintain({
      database,
      find: maintenanceStatements,
      queue,
      room: () => bytes,
      onRefusal: ({ message }) => refusals.push(message),
    });
    await expect.poll(() => refusals.length + exec.mock.calls.length).toBe(length);
    await queue.close();
    expect(exec.mock.calls.map(([statement]) => statement)).toEqual(executed);
    expect(new Set(refusals)).toEqual(new Set(["Its disk is full. Make room."]));
  });

  it("leaves tables alone in which little has changed", async () => {
    await writeTransactions(50, 100);
    expect(await maintenanceStatements(database)).toEqual(["checkpoint"]);
  });
});
