import fs from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DURABLE_PARAMS, DurableFiles, syncFolder } from "#lib/db/embedded/durable-files.ts";
import { openData } from "#lib/db/embedded/open-data.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";

const { fsyncSync } = fs;

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
  const { openSync, writeSync } = fs;
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

/** Nothing is to fail. */
const fail = (error: unknown) => {
  throw error;
};

const relative = (paths: Iterable<string>) =>
  [...paths].filter((path) => !PASSING.test(path)).map((path) => path.slice(dir.length));

it("the log of the embedded database is on the disk before the files that it is about, and these are after a checkpoint", async () => {
  const files = new DurableFiles(join(dir, "data"), fail);
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

/** Lets `fsync` fail for folders, or for files. */
function refuseSync(code: string, of: "folders" | "files"): void {
  vi.spyOn(fs, "fsyncSync").mockImplementation((descriptor) => {
    if (fs.fstatSync(descriptor).isDirectory() === (of === "folders")) throw Object.assign(new Error(code), { code });
    fsyncSync(descriptor);
  });
}

it.each(["EINVAL", "ENOTSUP", "EPERM"])(
  "the embedded database works where folders answer %s to fsync",
  async (code) => {
    refuseSync(code, "folders");
    syncFolder(join(dir, "data"));
    const database = await PGlite.create({
      fs: new DurableFiles(join(dir, "data"), fail),
      startParams: DURABLE_PARAMS,
    });
    // A new file of the log is given its name, after which PostgreSQL asks for its folder.
    await database.exec("create table notes (text text); select pg_switch_wal(); insert into notes values ('new')");
    await database.exec("checkpoint");
    expect((await database.query("select text from notes")).rows).toEqual([{ text: "new" }]);
    await database.close();
  },
);

it("a file that does not reach the disk is an error", () => {
  refuseSync("EIO", "files");
  expect(() => syncFolder(join(dir, "data"))).toThrow("EIO");
  vi.restoreAllMocks();
  refuseSync("EINVAL", "files");
  expect(() => syncFolder(join(dir, "data"))).toThrow("EINVAL");
});

it.each([
  ["the log", true, "insert into notes select repeat('x', 500) from generate_series(1, 1000)"],
  ["another file", false, "checkpoint"],
])(
  "%s that does not reach the disk in a statement ends the thread, which would never answer",
  async (_, ofLog, statement) => {
    // Only the statement is to bring files to the disk.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const failed = Promise.withResolvers<unknown>();
    const files = new DurableFiles(join(dir, "data"), failed.resolve);
    const database = await PGlite.create({ fs: files, startParams: [...DURABLE_PARAMS, "-c", "shared_buffers=128kB"] });
    await database.exec("create table notes (text text); insert into notes values ('new')");
    vi.spyOn(fs, "fsyncSync").mockImplementation((descriptor) => {
      const isOfLog = isLog(fs.readlinkSync(`/proc/self/fd/${descriptor}`));
      if (isOfLog === ofLog) throw Object.assign(new Error("EIO"), { code: "EIO" });
      fsyncSync(descriptor);
    });
    void database.exec(statement).catch(() => undefined);
    expect(await failed.promise).toMatchObject({ code: "EIO" });
    vi.useRealTimers();
    vi.restoreAllMocks();
    await files.closeFs();
  },
);

it("a power failure after the creation of an embedded database does not bring its mark back", async () => {
  const folder = join(dir, "new");
  fs.mkdirSync(folder);
  const creating = join(folder, "creating");
  /** Whether the mark was there each time that the folder reached the disk, and whether there were data. */
  const onDisk: [boolean, boolean][] = [];
  const inode = fs.statSync(folder).ino;
  vi.spyOn(fs, "fsyncSync").mockImplementation((descriptor) => {
    fsyncSync(descriptor);
    if (fs.fstatSync(descriptor).ino !== inode) return;
    onDisk.push([fs.existsSync(creating), fs.existsSync(join(folder, "data"))]);
  });
  const database = await openData(folder, fail);
  expect(onDisk.at(0)).toEqual([true, false]);
  expect(onDisk.at(-1)).toEqual([false, true]);
  await database.close();
});

/** Where a descriptor of this process leads. It may be closed meanwhile. */
function targetOf(descriptor: string): string {
  try {
    return fs.readlinkSync(join("/proc/self/fd", descriptor));
  } catch {
    return "";
  }
}

it.runIf(process.platform === "linux")(
  "the embedded database keeps few files open, however many it reads, and leaves the others to connections",
  async () => {
    const database = await openData(dir, fail);
    const numbers = Array.from({ length: 150 }, (_, number) => number);
    for (const number of numbers) await database.exec(`create table notes_${number} (id integer primary key)`);
    for (const number of numbers) await database.query(`select count(*) from notes_${number}`);
    const open = fs.readdirSync("/proc/self/fd").map(targetOf);
    expect(open.filter((path) => path.startsWith(dir)).length).toBeLessThan(100);
    await database.close();
  },
);
