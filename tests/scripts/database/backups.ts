import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, vi } from "vitest";
import { closeDatabase, migrated, query } from "#lib/db/database.ts";
import { type EmbeddedServer, serveEmbedded } from "#lib/db/embedded/serve.ts";
import { type Part, Tally } from "#lib/db/transfer/parts.ts";
import { backup } from "#scripts/database/commands.ts";
import { copyEmptyDatabase } from "../../empty-database.ts";

let pristine: string;
let folder: string;
let file: string;

/** The folder of this test, which has the database that is served in `database`. */
export const testFolder = () => folder;

/** The backup of this test. */
export const backupFile = () => file;

const newFolder = () => mkdtempSync(join(tmpdir(), "platen-test-"));

/** Serves an embedded database, and makes it the one of this process, until the test ends. */
async function serve(dir: string): Promise<EmbeddedServer> {
  vi.stubEnv("SERVICE_DATABASE_DIR", dir);
  const server = await serveEmbedded({ dir, onProgress: () => undefined });
  await server.ready;
  return server;
}

/** Until the test ends. */
export async function serveForTest(dir: string): Promise<void> {
  const server = await serve(dir);
  onTestFinished(() => closeDatabase().then(server.stop));
}

/** Serves a migrated, empty database of its own in each test of a file. */
export function useBackups(): void {
  // Migrated once, because that takes a second.
  beforeAll(async () => {
    pristine = await copyEmptyDatabase(newFolder());
    vi.stubEnv("DATABASE_URL", "");
    const server = await serve(pristine);
    await migrated();
    await closeDatabase();
    await server.stop();
  });
  afterAll(() => rmSync(pristine, { recursive: true, force: true }));

  beforeEach(async () => {
    folder = newFolder();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    file = join(folder, "platen.backup");
    vi.stubEnv("DATABASE_URL", "");
    cpSync(pristine, join(folder, "database"), { recursive: true });
    await serveForTest(join(folder, "database"));
  });
  afterEach(() => void vi.unstubAllEnvs());
}

export const options = (isReplacing = false) => ({
  file,
  isReplacing,
  signal: new AbortController().signal,
  report: () => undefined,
});

/** Makes another embedded database the one of this process. No server uses it. */
export async function useOther(): Promise<string> {
  await closeDatabase();
  const dir = await copyEmptyDatabase(join(folder, "other"));
  vi.stubEnv("SERVICE_DATABASE_DIR", dir);
  return dir;
}

export const readParts = () =>
  gunzipSync(readFileSync(file))
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line): Part => JSON.parse(line));

export function writeParts(parts: Part[]): void {
  writeFileSync(file, gzipSync(parts.map((part) => `${JSON.stringify(part)}\n`).join("")));
}

/** The rows of a table in the backup. */
export function rowsOf(table: string) {
  const parts = readParts();
  const start = parts.findIndex((part) => "table" in part && part.table === table);
  const end = parts.findIndex((part, index) => index > start && !("rows" in part));
  return parts.slice(start + 1, end).flatMap((part) => ("rows" in part ? part.rows : []));
}

export const insertThrottle = (key: string) =>
  query((db) => db.execute(sql`insert into throttle (key, empty_at) values (${key}, now())`));

/** The parts with the totals of their rows. */
export function withTotals(parts: Part[]): Part[] {
  const tallies = new Map<string, Tally>();
  let tally: Tally | undefined;
  for (const part of parts)
    if ("table" in part) {
      tally = new Tally();
      tallies.set(part.table, tally);
    } else if ("rows" in part) tally?.add(part.rows);
  return [
    ...parts.slice(0, -1),
    { totals: Object.fromEntries([...tallies].map(([name, each]) => [name, each.total()])) },
  ];
}

/** Backs up three times at once into one file. Expects that one gets the name, and that the others say so. */
export async function expectOneOfThree(): Promise<void> {
  const ends = await Promise.allSettled([backup(options()), backup(options()), backup(options())]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
  for (const end of ends)
    if (end.status === "rejected")
      expect(end.reason.message).toMatch(/^Another command has written .*platen\.backup mean/);
}
