import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { sealAuditTrail } from "#lib/access/audit/seal-trail.ts";
import { verifyAuditTrail } from "#lib/access/audit/verify-trail.ts";
import { findSession } from "#lib/access/sessions.ts";
import { buildIndexes } from "#lib/db/build-indexes.ts";
import { Connection } from "#lib/db/connection.ts";
import { closeDatabase, query } from "#lib/db/database.ts";
import { serveEmbedded } from "#lib/db/embedded/serve.ts";
import { readBackup } from "#lib/db/transfer/backup-file.ts";
import { loadTables } from "#lib/db/transfer/load-tables.ts";
import { backup, move, restore } from "#scripts/database/commands.ts";
import { addEvents } from "../access/audit-rows.ts";
import { addToken, addUser, listUsers, signIn, tokenState } from "../access/people.ts";
import { createOwnDatabase } from "../database-server.ts";
import { copyEmptyDatabase } from "../empty-database.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "platen-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});
afterEach(() => vi.unstubAllEnvs());

const options = (isReplacing = false) => ({
  file: join(folder, "platen.backup"),
  isReplacing,
  signal: new AbortController().signal,
  report: () => undefined,
});

/** Fills an embedded database, backs it up, and stops serving it. @returns what must be found again */
async function fillEmbedded() {
  const dir = await copyEmptyDatabase(join(folder, "database"));
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("SERVICE_DATABASE_DIR", dir);
  const server = await serveEmbedded({ dir, onProgress: () => undefined });
  await server.ready;
  const { secret, actor } = await signIn(await addUser("ada", "admin"));
  const { token } = await addToken(actor);
  await addEvents({ count: 2_500, age: "2 hours" });
  await sealAuditTrail();
  const [users, trail] = [await listUsers(), await verifyAuditTrail()];
  await backup(options());
  await closeDatabase();
  await server.stop();
  return { secret, token, users, trail };
}

/** Makes a new PostgreSQL database the one of this process. */
async function usePostgres(): Promise<void> {
  vi.unstubAllEnvs();
  const { env, remove } = await createOwnDatabase();
  onTestFinished(() => closeDatabase().then(remove));
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}

async function expectAllOf({ secret, token, users, trail }: Awaited<ReturnType<typeof fillEmbedded>>): Promise<void> {
  expect(await listUsers()).toEqual(users);
  expect(await findSession(secret)).toBeDefined();
  expect(await tokenState(token)).toBe("valid");
  expect(await verifyAuditTrail(trail.head?.hash)).toEqual(trail);
  // New rows are added as in any other database.
  await addEvents({ count: 10, age: "1 hour" });
  await sealAuditTrail();
  expect(await verifyAuditTrail(trail.head?.hash)).toMatchObject({ fault: undefined, sealed: { rows: 2_510 } });
}

it("moves every row to PostgreSQL, with its indexes, sessions, tokens and an intact audit trail", async () => {
  const before = await fillEmbedded();
  await usePostgres();
  vi.stubEnv("SERVICE_DATABASE_DIR", join(folder, "database"));
  expect(await move(options())).toMatch(
    /^Moved to PostgreSQL at 127\.0\.0\.1:\d+, database platen_test_\w+, user \w+, read back/,
  );
  expect(await move(options())).toMatch(/^An earlier move to PostgreSQL .* was complete: it has every row/);
  await query((db) => db.execute(sql`update users set name = name || '!'`));
  await expect(move(options())).rejects.toThrow(
    /: users has \d rows? in both, which are not the same\. Nothing was changed/,
  );
  await query((db) => db.execute(sql`update users set name = left(name, -1)`));
  await expectAllOf(before);
  await buildIndexes(new AbortController().signal);
  const invalid = await query((db) => db.execute(sql`select from pg_index where not indisvalid`));
  expect(invalid).toHaveLength(0);
  await expect(move(options())).rejects.toThrow(
    /has rows already, in audit_events, audit_seals.* audit_events has 2,51\d rows, and 2,50\d in the embedded database.* Nothing was changed/,
  );
});

it("restores a backup of the embedded database into PostgreSQL, also over other rows", async () => {
  const before = await fillEmbedded();
  await usePostgres();
  await addUser("eve");
  await expect(restore(options())).rejects.toThrow("Add --overwrite");
  expect((await listUsers()).map(({ name }) => name)).toEqual(["eve"]);
  await restore(options(true));
  await expectAllOf(before);
});

it("restores a backup where statements and idle transactions have limits of time, without these limits", async () => {
  await fillEmbedded();
  await usePostgres();
  const limits = "statement_timeout=60000&idle_in_transaction_session_timeout=60000";
  vi.stubEnv("DATABASE_URL", `${process.env.DATABASE_URL}?${limits}`);
  const connection = await Connection.open(AbortSignal.timeout(5_000), 5_000);
  onTestFinished(() => connection.close());
  const found: unknown[] = [];
  async function* parts() {
    for await (const part of readBackup(options().file)) {
      for (const name of ["statement_timeout", "idle_in_transaction_session_timeout"])
        found.push(...Object.values((await connection.run(`show ${name}`))[0] ?? {}));
      yield part;
    }
  }
  const { signal } = options();
  await loadTables(connection, { parts: parts(), isReplacing: false, signal, onProgress: () => undefined });
  expect(new Set(found)).toEqual(new Set(["0"]));
});

it("keeps no row of a move that fails, and says why", async () => {
  await fillEmbedded();
  vi.stubEnv("DATABASE_URL", "postgres://postgres@127.0.0.1:1/platen");
  await expect(move(options())).rejects.toMatchObject({ code: "ECONNREFUSED" });
  vi.stubEnv("DATABASE_URL", "");
  await expect(move(options())).rejects.toThrow("DATABASE_URL is not set");
});
