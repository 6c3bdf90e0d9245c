import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ownerTag } from "#lib/processes.ts";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { emptyDataDir, ownDataDir, prepareMachine, removeDir, SHARED_DATA_DIR } from "../rig.ts";

const run = promisify(execFile);
const IS_ROOT = process.getuid?.() === 0;
let dataDir: string;
let name: string;
let size: number;

beforeAll(async () => {
  await prepareMachine();
  const { executable } = await prepareChromium({ dataDir: SHARED_DATA_DIR });
  name = basename(dirname(executable));
  size = statSync(executable).size;
});

beforeEach(() => {
  dataDir = emptyDataDir();
});

afterEach(() => removeDir(dataDir));

/** The executable must be complete, private and owned by this user, and no other folder may be left. */
function expectWhole({ executable }: { executable: string }): void {
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
      size,
      lines: [/^Unpacking Chromium/, /^Unpacked Chromium .* in \d/].map((line) => expect.stringMatching(line)),
    });
  expectWhole(await prepareChromium({ dataDir }));
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
    removeDir(dataDir);
    dataDir = await ownDataDir();
    const executable = join(dataDir, name, "chromium");
    const content = readFileSync(executable);
    rmSync(executable);
    writeFileSync(executable, content, { mode: 0o700 });
    truncateSync(executable, size - 1);
    expectWhole(await prepareChromium({ dataDir }));
  });

  test("a library is missing", async () => {
    removeDir(dataDir);
    dataDir = await ownDataDir();
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
