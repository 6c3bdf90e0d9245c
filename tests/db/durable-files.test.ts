import fs from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DURABLE_PARAMS, DurableFiles } from "#lib/db/embedded/durable-files.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";

let dir: string;
/** Files with bytes that a power failure would take. */
let late: Set<string>;
/** Files that were changed while a part of the log was not on the disk. */
let tooEarly: string[];

/** What PostgreSQL makes anew after a failure. */
const PASSING = /pg_internal\.init|pg_subtrans|pg_stat|postmaster\.pid/;

const isLog = (path: string) => path.includes(`${sep}pg_wal${sep}`);

/** Follows which files reach the disk, among those of `dir`. */
function watchFiles(): void {
  const paths = new Map<number, string>();
  const { openSync, writeSync, fsyncSync } = fs;
  vi.spyOn(fs, "openSync").mockImplementation((path, ...rest) => {
    const descriptor = openSync(path, ...rest);
    paths.set(descriptor, String(path));
    return descriptor;
  });
  vi.spyOn(fs, "writeSync").mockImplementation(((descriptor: number, ...rest: [NodeJS.ArrayBufferView]) => {
    const path = paths.get(descriptor) ?? "";
    if (path.startsWith(dir)) {
      if (!isLog(path) && [...late].some(isLog)) tooEarly.push(path);
      late.add(path);
    }
    return writeSync(descriptor, ...rest);
  }) as typeof fs.writeSync);
  vi.spyOn(fs, "fsyncSync").mockImplementation((descriptor) => {
    late.delete(paths.get(descriptor) ?? "");
    fsyncSync(descriptor);
  });
}

beforeEach(async () => {
  dir = fs.mkdtempSync(join(tmpdir(), "platen-test-"));
  late = new Set();
  tooEarly = [];
  await copyEmptyDatabase(dir);
  watchFiles();
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(dir, { recursive: true, force: true });
});

const relative = (paths: Iterable<string>) =>
  [...paths].filter((path) => !PASSING.test(path)).map((path) => path.slice(dir.length));

it("the log of the embedded database is on the disk before the files that it is about, and these are after a checkpoint", async () => {
  const files = new DurableFiles(join(dir, "data"));
  const database = await PGlite.create({ fs: files, startParams: [...DURABLE_PARAMS, "-c", "shared_buffers=128kB"] });
  await database.exec("create table notes (id integer primary key, text text)");
  for (let id = 0; id < 40; id++)
    await database.exec(
      `insert into notes select ${id} * 100 + number, repeat('x', 500) from generate_series(1, 100) as number`,
    );
  expect(relative(late).filter((path) => path.includes("base"))).not.toEqual([]);
  expect(relative(tooEarly)).toEqual([]);
  await database.exec("checkpoint");
  expect(relative(late).filter((path) => !isLog(path))).toEqual([]);
  await database.exec("insert into notes values (-1, 'the last one')");
  expect(relative(late).filter(isLog)).toHaveLength(1);
  files.syncLog();
  expect(relative(late)).toEqual([]);
  await database.close();
  expect(relative(late)).toEqual([]);
  expect(relative(tooEarly)).toEqual([]);
});
