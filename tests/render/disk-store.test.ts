import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DiskStore } from "#lib/render/disk-store.ts";
import { emptyDataDir, removeDir } from "./rig.ts";

const PICTURE = Buffer.alloc(1_000, "p");
const LIMIT_BYTES = 10_000;

let dir: string;

beforeEach(() => {
  dir = emptyDataDir();
});
afterEach(() => removeDir(dir));

const open = () => new DiskStore({ dir: join(dir, "pictures"), limitBytes: LIMIT_BYTES });
const bytesOnDisk = () =>
  readdirSync(join(dir, "pictures")).reduce((sum, name) => sum + statSync(join(dir, "pictures", name)).size, 0);

describe("a store on disk", () => {
  test("reads what was written, also by another process", async () => {
    await open().write("key", PICTURE);
    expect(await open().read("key")).toEqual(PICTURE);
    expect(await open().read("other")).toBeUndefined();
  });

  test("stays within its limit, and removes the files not used for the longest", async () => {
    const store = open();
    for (let index = 0; index < 9; index++) {
      await store.write(`key${index}`, PICTURE);
      const then = new Date(Date.now() - 60_000 + index);
      utimesSync(join(dir, "pictures", `key${index}`), then, then);
    }
    for (let index = 9; index < 30; index++) await store.write(`key${index}`, PICTURE);
    expect(bytesOnDisk()).toBeLessThanOrEqual(LIMIT_BYTES);
    expect(await store.read("key1")).toBeUndefined();
    expect(await store.read("key29")).toEqual(PICTURE);
  });

  test("counts the half-written files of dead servers", async () => {
    await open().write("key", PICTURE);
    const left = join(dir, "pictures", "key.1b9d6bcd");
    writeFileSync(left, Buffer.alloc(LIMIT_BYTES));
    const then = new Date(Date.now() - 60_000);
    utimesSync(left, then, then);
    await open().write("next", PICTURE);
    expect(readdirSync(join(dir, "pictures")).toSorted()).toEqual(["key", "next"]);
  });

  test("keeps files that are still used", async () => {
    const store = open();
    for (let index = 0; index < 9; index++) {
      await store.write(`key${index}`, PICTURE);
      const then = new Date(Date.now() - 60_000 + index);
      utimesSync(join(dir, "pictures", `key${index}`), then, then);
    }
    expect(await store.read("key0")).toEqual(PICTURE);
    await store.write("one more", PICTURE);
    expect(await store.read("key0")).toEqual(PICTURE);
    expect(await store.read("key1")).toBeUndefined();
  });
});
