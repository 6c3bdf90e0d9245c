import { sql } from "drizzle-orm";
import connect from "postgres";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { checkDatabase } from "#lib/db/check-database.ts";
import { closeDatabase, databaseOutage, query } from "#lib/db/database.ts";
import { tokens } from "#lib/db/schema.ts";
import { captureLog } from "#tests/captured-log.ts";
import { useDatabase } from "#tests/database.ts";
import { forgetWarnings } from "#tests/db/rare-warnings.ts";
import { connectAs } from "./connect-as.ts";

useDatabase();
beforeEach(forgetWarnings);

const messages = (lines: string[]) => lines.map((line) => JSON.parse(line).msg);

it("a role with fewer connections than the pool answers every query of a burst", async () => {
  await connectAs("three_connections", "connection limit 3");
  await vi.waitFor(checkDatabase, { timeout: 30_000 });
  const lines = captureLog();
  for (let burst = 0; burst < 5; burst++) {
    const sleeps = Array.from({ length: 12 }, () => query((db) => db.execute(sql`select pg_sleep(0.02)`)));
    await Promise.all(sleeps);
  }
  expect(messages(lines)).toEqual([expect.stringContaining("fewer connections than SERVICE_DATABASE_POOL")]);
});

it("a role whose login is refused from now on, as with a new password, answers every query of a burst while connections are open", async () => {
  const admin = connect(process.env.DATABASE_URL as string, { max: 1 });
  onTestFinished(() => admin.end());
  await connectAs("logs_in_once", "login");
  await checkDatabase();
  await admin.unsafe("alter role logs_in_once nologin");
  const lines = captureLog();
  await Promise.all(Array.from({ length: 12 }, () => query((db) => db.execute(sql`select pg_sleep(0.02)`))));
  expect(databaseOutage()).toBeUndefined();
  expect(messages(lines)).toEqual([expect.stringContaining("refuses further connections of this server")]);
});

it("a role that may only read does not count as an outage when a write fails", async () => {
  await connectAs("reads_only", "set default_transaction_read_only = on");
  await checkDatabase();
  const lines = captureLog();
  for (let count = 0; count < 5; count++) {
    const write = query((db) => db.update(tokens).set({ lastUsedAt: sql`now()` }));
    await expect(write).rejects.toMatchObject({ code: "unavailable" });
    await checkDatabase();
  }
  expect(messages(lines)).toEqual(["The database answers, but refuses to write."]);
});

it("after a failover, the first refused write replaces all connections that lead to the stand-by", async () => {
  const admin = connect(process.env.DATABASE_URL as string, { max: 1 });
  onTestFinished(() => admin.end());
  await connectAs("fails_over", "set default_transaction_read_only = on");
  await checkDatabase();
  const settings = () => {
    const ask = sql`select current_setting('transaction_read_only') as answer, pg_sleep(0.2)`;
    return Promise.all(Array.from({ length: 5 }, () => query((db) => db.execute<{ answer: string }>(ask))));
  };
  const answers = async () => (await settings()).flatMap((rows) => rows.map(({ answer }) => answer));
  expect(await answers()).toEqual(Array(5).fill("on"));
  await admin.unsafe("alter role fails_over set default_transaction_read_only = off");
  const write = () => query((db) => db.update(tokens).set({ lastUsedAt: sql`now()` }));
  await expect(write()).rejects.toMatchObject({ code: "unavailable" });
  await write();
  expect(await answers()).toEqual(Array(5).fill("off"));
});

it("a database that accepts no connections counts as an outage, with its reason in the log", async () => {
  const url = process.env.DATABASE_URL as string;
  await checkDatabase();
  const client = connect(url, { max: 1 });
  await client.unsafe("create database closed allow_connections false");
  onTestFinished(async () => {
    await closeDatabase();
    vi.stubEnv("DATABASE_URL", url);
    await client.unsafe("drop database closed");
    await client.end();
  });
  await closeDatabase();
  const closed = new URL(url);
  closed.pathname = "/closed";
  vi.stubEnv("DATABASE_URL", closed.href);
  await expect(checkDatabase()).rejects.toMatchObject({ code: "unavailable" });
  expect(databaseOutage()?.reason).toBe("it accepts no connections (55000)");
});
