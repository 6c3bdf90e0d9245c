import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compress, findFonts, fontsFolder, packFonts } from "#lib/fonts/archive.ts";
import { currentFonts, type FontSet } from "#lib/fonts/font-set.ts";
import { emptyDataDir } from "#tests/render/rig.ts";

/** Small ones, which are packed and unpacked quickly. */
const BUNDLED = ["Inter_400Regular.ttf", "Inter_700Bold.ttf", "NotoSansHebrew_400Regular.ttf"];

/** Han families of one weight, which share outlines. */
const HAN = ["NotoSansJP_400Regular.ttf", "NotoSansSC_400Regular.ttf", "NotoSansTC_400Regular.ttf"];

const dir = emptyDataDir();
const built: FontSet = {
  version: "v1",
  files: BUNDLED.length,
  folder: join(dir, "built"),
  archive: join(dir, "v1.zst"),
};
/** A deployment has the archive but not the folder. */
const deployed: FontSet = { ...built, folder: join(dir, "absent") };

const read = (folder: string) => BUNDLED.map((name) => readFileSync(join(folder, name)));

/** Puts bundled fonts into a folder. */
function copyFonts(names: string[], folder: string): void {
  mkdirSync(folder);
  for (const name of names) writeFileSync(join(folder, name), readFileSync(join(currentFonts().folder, name)));
}

beforeAll(async () => {
  copyFonts(BUNDLED, built.folder);
  await packFonts(built);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("The archive of a font set", () => {
  it("is less than half as large as its files", async () => {
    const han = { ...built, folder: join(dir, "han"), archive: join(dir, "han.zst") };
    copyFonts(HAN, han.folder);
    await packFonts(han);
    const bytes = HAN.reduce((sum, name) => sum + statSync(join(han.folder, name)).size, 0);
    expect(statSync(han.archive).size).toBeLessThan(bytes / 2);
  });

  it("has the same bytes for the same fonts", async () => {
    const again = { ...built, archive: join(dir, "again.zst") };
    await packFonts(again);
    expect(readFileSync(again.archive).equals(readFileSync(built.archive))).toBe(true);
  });

  it("has the same bytes, however late the pieces of its files are read", async () => {
    const bytes = randomBytes(2_000_000);
    async function* inPieces(of: number, waitMs?: number) {
      for (let at = 0; at < bytes.length; at += of) {
        if (waitMs !== undefined) await setTimeout(waitMs);
        yield bytes.subarray(at, at + of);
      }
    }
    const streams = [inPieces(bytes.length), inPieces(1_000), inPieces(100_000), inPieces(100_000, 50)];
    const compressed = streams.map(async (stream, index) => {
      const file = join(dir, `pieces-${index}.zst`);
      await compress(stream, file);
      return readFileSync(file);
    });
    const [first, ...others] = await Promise.all(compressed);
    expect(others.map((other) => first?.equals(other))).toEqual([true, true, true]);
  });
});

describe("A deployment", () => {
  it("unpacks its fonts once into a private folder, however many browsers start", async () => {
    const dataDir = join(dir, "first");
    expect(findFonts(dataDir, deployed)).toBeUndefined();
    const [folder, same] = await Promise.all([fontsFolder(dataDir, deployed), fontsFolder(dataDir, deployed)]);
    expect(same).toBe(folder);
    expect(findFonts(dataDir, deployed)).toBe(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(read(folder)).toEqual(read(built.folder));
    const { ino } = statSync(folder);
    await fontsFolder(dataDir, deployed);
    expect(statSync(folder).ino).toBe(ino);
    expect(readdirSync(join(dataDir, "fonts"))).toEqual(["v1"]);
  });

  it.each([
    ["misses a file", (folder: string) => rmSync(join(folder, BUNDLED[0] ?? ""))],
    ["is open to others", (folder: string) => chmodSync(folder, 0o755)],
  ])("unpacks again a folder that %s", async (_, damage) => {
    const dataDir = emptyDataDir();
    damage(await fontsFolder(dataDir, deployed));
    const folder = await fontsFolder(dataDir, deployed);
    expect(read(folder)).toEqual(read(built.folder));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    rmSync(dataDir, { recursive: true });
  });

  it("removes other versions", async () => {
    const dataDir = join(dir, "leftovers");
    for (const name of ["v0"]) mkdirSync(join(dataDir, "fonts", name), { recursive: true });
    await fontsFolder(dataDir, deployed);
    expect(existsSync(join(dataDir, "fonts/v0"))).toBe(false);
  });

  it("leaves nothing behind when the archive is damaged", async () => {
    const dataDir = join(dir, "damaged");
    const archive = join(dir, "damaged.zst");
    writeFileSync(archive, readFileSync(built.archive).subarray(0, 100_000));
    await expect(fontsFolder(dataDir, { ...deployed, archive })).rejects.toThrow();
    expect(readdirSync(join(dataDir, "fonts"))).toEqual([]);
  });
});

describe("A built tree", () => {
  it("uses its folder as it is", async () => {
    expect(await fontsFolder(dir, built)).toBe(built.folder);
  });
});
