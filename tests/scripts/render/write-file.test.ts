import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { replaceFile, writeNamed } from "#scripts/render/write-file.ts";
import { reasonOf } from "#scripts/run-command.ts";

const PNG = Buffer.from("a picture");

/** Every write to it fails as on a full disk. */
const FULL_DISK = "/dev/full";

function emptyFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "platen-picture-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

const full = (file: string) =>
  new RegExp(`^ENOSPC: user \\S+ cannot write ${file}\\. The disk is full\\. Make room\\.$`);

it("a picture that a full disk refuses is named, with what to do", async () => {
  expect(reasonOf(await writeNamed(FULL_DISK, PNG).catch((error: unknown) => error))).toMatch(full(FULL_DISK));
});

it("a picture replaces another one, and leaves nothing where the disk is full", async () => {
  const dir = emptyFolder();
  const file = join(dir, "a.png");
  for (const png of [Buffer.from("another picture"), PNG]) await replaceFile(file, png);
  expect(readFileSync(file)).toEqual(PNG);
  symlinkSync(FULL_DISK, `${file}.part`);
  const error: unknown = await replaceFile(file, Buffer.from("a third one")).catch((fault: unknown) => fault);
  expect(reasonOf(error)).toMatch(full(`${file}.part`));
  expect(readdirSync(dir)).toEqual(["a.png"]);
  expect(readFileSync(file)).toEqual(PNG);
});

it("a picture that cannot be written is named although nothing can be removed", async () => {
  const file = join(emptyFolder(), "a.png");
  mkdirSync(`${file}.part`);
  await expect(replaceFile(file, PNG)).rejects.toThrow(`EISDIR: illegal operation on a directory, open '${file}.part'`);
});
