import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { identityOf, ownerTag } from "#lib/processes.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { emptyDataDir, removeDir, SHARED_DATA_DIR } from "../rig.ts";

const run = promisify(execFile);
const IS_ROOT = process.getuid?.() === 0;

/** A project whose Chromium is a few bytes: unpacking the real one takes seconds and writes 0.2 GB. */
const project = await vi.hoisted(async () => {
  const { cpSync, mkdirSync, mkdtempSync, writeFileSync } = await import("node:fs");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const { buffer } = await import("node:stream/consumers");
  const { brotliCompressSync } = await import("node:zlib");
  const { pack } = await import("tar-fs");
  const dir = mkdtempSync(join(tmpdir(), "platen-unpack-"));
  const folder = "node_modules/@sparticuz/chromium";
  mkdirSync(join(dir, folder, "bin"), { recursive: true });
  mkdirSync(join(dir, "content/lib"), { recursive: true });
  cpSync(join(folder, "package.json"), join(dir, folder, "package.json"));
  writeFileSync(join(dir, "content/lib/libnss3.so"), "a library");
  const executable = "#!/bin/sh\nexit 1\n".repeat(1_000);
  writeFileSync(join(dir, folder, "bin/chromium.br"), brotliCompressSync(executable));
  writeFileSync(join(dir, folder, "bin/al2023.tar.br"), brotliCompressSync(await buffer(pack(join(dir, "content")))));
  return { dir, size: executable.length };
});

vi.mock("#lib/config.ts", async (importOriginal) => ({
  ...(await importOriginal<typeof import("#lib/config.ts")>()),
  PROJECT_DIR: project.dir,
}));

let dataDir: string;
let name: string;
/** The size of the real executable. */
let realSize: number;

beforeAll(async () => {
  // The global setup has unpacked the real one, which is kept.
  const { executable } = await prepareChromium({ dataDir: SHARED_DATA_DIR });
  name = basename(dirname(executable));
  realSize = statSync(executable).size;
});

afterAll(() => removeDir(project.dir));

beforeEach(() => {
  dataDir = emptyDataDir();
});

afterEach(() => removeDir(dataDir));

/** The executable must be complete, private and owned by this user, and no other folder may be left. */
function expectWhole({ executable }: { executable: string }, size = project.size): void {
  expect(executable).toBe(join(dataDir, name, "chromium"));
  expect(statSync(executable).size).toBe(size);
  expect(statSync(executable).uid).toBe(process.getuid?.());
  expect(statSync(dirname(executable)).mode & 0o777).toBe(0o700);
  expect(readdirSync(dataDir).filter((entry) => entry.startsWith("chromium"))).toEqual([name]);
}

/** Puts an executable that must never run in the place of Chromium. */
function plant(): string {
  const dir = join(dataDir, name);
  mkdirSync(join(dir, "lib"), { recursive: true, mode: 0o700 });
  writeFileSync(join(dir, "chromium"), "#!/bin/sh\ntouch /tmp/executed\n", { mode: 0o700 });
  writeFileSync(
    join(dir, "complete.json"),
    JSON.stringify({ files: { chromium: statSync(join(dir, "chromium")).size } }),
  );
  return dir;
}

test("two processes that start at the same time both get a complete Chromium, and report progress", async () => {
  const code = `const { prepareChromium } = await import("#lib/render/chromium/install.ts");
    const lines = [];
    const { executable } = await prepareChromium({ dataDir: process.argv[1], onProgress: (line) => lines.push(line) });
    const { statSync } = await import("node:fs");
    console.log(JSON.stringify({ executable, size: statSync(executable).size, lines }));`;
  const outputs = await Promise.all(
    [1, 2].map(() => run(process.execPath, ["--input-type=module", "-e", code, dataDir])),
  );
  for (const { stdout } of outputs)
    expect(JSON.parse(stdout)).toMatchObject({
      size: realSize,
      lines: [/^Unpacking Chromium/, /^Unpacked Chromium .* in \d/].map((line) => expect.stringMatching(line)),
    });
  expectWhole(await prepareChromium({ dataDir }), realSize);
});

test("twenty concurrent calls in one process unpack once", async () => {
  const lines: string[] = [];
  const all = await Promise.all(
    Array.from({ length: 20 }, () => prepareChromium({ dataDir, onProgress: (line) => lines.push(line) })),
  );
  expect(new Set(all.map(({ executable }) => executable)).size).toBe(1);
  expect(lines).toHaveLength(2);
});

describe("an existing folder is replaced and not executed when", () => {
  test("the executable is truncated", async () => {
    const { executable } = await prepareChromium({ dataDir });
    truncateSync(executable, project.size - 1);
    expectWhole(await prepareChromium({ dataDir }));
  });

  test("a library is missing", async () => {
    await prepareChromium({ dataDir });
    rmSync(join(dataDir, name, "lib", "libnss3.so"));
    expectWhole(await prepareChromium({ dataDir }));
    expect(existsSync(join(dataDir, name, "lib", "libnss3.so"))).toBe(true);
  });

  test("other users may write to it", async () => {
    chmodSync(plant(), 0o777);
    expectWhole(await prepareChromium({ dataDir }));
  });

  test.runIf(IS_ROOT)("it belongs to another user", async () => {
    chownSync(plant(), 65_534, 65_534);
    expectWhole(await prepareChromium({ dataDir }));
  });

  test("it is a link to somewhere else", async () => {
    const elsewhere = join(dataDir, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o700 });
    symlinkSync(elsewhere, join(dataDir, name));
    expectWhole(await prepareChromium({ dataDir }));
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("it was never completed", async () => {
    rmSync(join(plant(), "complete.json"));
    expectWhole(await prepareChromium({ dataDir }));
  });
});

test("old versions and unfinished folders of ended processes are removed; those of a live process stay", async () => {
  const dead = `${ownerTag().split("-")[0]}-${process.pid}-1`;
  const leftovers = ["chromium-1.0.0-x64", `${name}.partial.${dead}.00ff`, `${name}.discarded.${dead}.00ff`];
  const kept = [`${name}.partial.${ownerTag()}.00ff`, "chromium-notes", "other"];
  for (const entry of [...leftovers, ...kept]) mkdirSync(join(dataDir, entry));
  await prepareChromium({ dataDir });
  expect(readdirSync(dataDir).toSorted()).toEqual([name, ...kept].toSorted());
});

test("leaves the Chromium of another version while its server runs on the same data folder", async () => {
  const { pid, start } = identityOf(process.ppid) ?? { pid: 0, start: "" };
  const other = `${ownerTag().split("-")[0]}-${pid}-${start}`;
  for (const entry of ["chromium-1.0.0-x64", join("workers", `${other}.aa`)])
    mkdirSync(join(dataDir, entry), { recursive: true });
  await prepareChromium({ dataDir });
  expect(existsSync(join(dataDir, "chromium-1.0.0-x64"))).toBe(true);
});

test("a data folder that cannot be written is unavailable, the message has no path, and a later call succeeds", async () => {
  const file = join(dataDir, "file");
  writeFileSync(file, "");
  const error = await prepareChromium({ dataDir: file }).catch((caught) => caught);
  expect(error).toMatchObject({ code: "unavailable", status: 503 });
  expect(error.message).not.toContain(dataDir);
  rmSync(file);
  dataDir = file;
  expectWhole(await prepareChromium({ dataDir }));
  dataDir = dirname(file);
});
