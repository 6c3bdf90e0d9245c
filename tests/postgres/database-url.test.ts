import { expect, it, onTestFinished, vi } from "vitest";
import { Connection } from "#lib/db/connection.ts";
import { unavailableReason } from "#lib/db/database-faults.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { createRecords } from "#lib/db/migrations.ts";
import { requireServer } from "#lib/db/requirements.ts";
import { captureLog } from "#tests/captured-log.ts";
import { useDatabase } from "#tests/database.ts";

useDatabase();

/** Connects with parameters added to the URL. */
async function open(parameters: string): Promise<Connection> {
  const url = process.env.DATABASE_URL as string;
  vi.stubEnv("DATABASE_URL", `${url}?${parameters}`);
  onTestFinished(() => void vi.stubEnv("DATABASE_URL", url));
  const connection = await Connection.open(AbortSignal.timeout(5_000), 5_000);
  onTestFinished(() => connection.close());
  return connection;
}

it.each(["allow", "prefer"])("a server without TLS is reached with sslmode=%s", async (mode) => {
  const connection = await open(`sslmode=${mode}`);
  expect(await connection.run("select 1 as one")).toEqual([{ one: 1 }]);
});

it("settings in the URL hold, and parameters of other clients do no harm", async () => {
  const connection = await open("keepalives=1&keepalives_idle=30&statement_cache_size=0&statement_timeout=1234");
  expect(await connection.run("show statement_timeout")).toEqual([{ statement_timeout: "1234ms" }]);
});

it("the log names a parameter that PostgreSQL does not know", async () => {
  const error = await open("schema=public").catch((fault: unknown) => fault);
  expect(unavailableReason(error)).toBe('unrecognized configuration parameter "schema" (42704)');
});

it("a database without room for every script is refused while it is empty, and told of when it is used", async () => {
  const url = process.env.DATABASE_URL as string;
  const server = await open("");
  await server.run("create database latin encoding 'LATIN1' locale 'C' template template0");
  onTestFinished(async () => void (await server.run("drop database latin with (force)")));
  vi.stubEnv("DATABASE_URL", Object.assign(new URL(url), { pathname: "/latin" }).href);
  await expect(migrateDatabase()).rejects.toThrow(/got a database with the encoding LATIN1, want UTF8/);
  const connection = await Connection.open(AbortSignal.timeout(5_000), 5_000);
  await createRecords(connection);
  await connection.run("insert into drizzle.__drizzle_migrations (hash, created_at) values ('first', 1)");
  const lines = captureLog();
  await requireServer(connection);
  await connection.close();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([expect.stringContaining("encoding LATIN1, want UTF8")]);
});
