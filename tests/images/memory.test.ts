import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { animatedPng, dataUrl, longGif, longWebp, picture, pngBomb, textBomb, withChunks } from "./files.ts";

const LIMIT_BYTES = 50_000_000;

const dir = mkdtempSync(join(tmpdir(), "platen-memory-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** Measures in a separate process, because the peak of earlier tests would hide the growth. */
function measure(url: string): { fault?: string; grownBytes: number } {
  const file = join(dir, "image");
  writeFileSync(file, url);
  return JSON.parse(execFileSync(process.execPath, ["tests/images/programs/memory-of.ts", file], { encoding: "utf8" }));
}

/** A file whose header claims 60,000 × 60,000 pixels, as far as its format can. */
async function claiming(format: "jpeg" | "gif" | "webp" | "avif"): Promise<Buffer> {
  const bytes = await picture(16, 16).toFormat(format).toBuffer();
  if (format === "gif") for (const at of [6, 8]) bytes.writeUInt16LE(60_000, at);
  if (format === "jpeg") for (const at of [5, 7]) bytes.writeUInt16BE(60_000, bytes.indexOf("ffc0", "hex") + at);
  if (format === "webp") for (const at of [26, 28]) bytes.writeUInt16LE(16_383, at);
  if (format === "avif") for (const at of [8, 12]) bytes.writeUInt32BE(60_000, bytes.indexOf("ispe") + at);
  return bytes;
}

test.each<[string, () => Promise<string>, RegExp]>([
  ["60,000 × 60,000 pixels in a PNG", async () => dataUrl("png", pngBomb(60_000, 60_000)), /^Got 60000×60000 pixels/],
  ["60,000 × 60,000 pixels in a JPEG", async () => dataUrl("jpeg", await claiming("jpeg")), /^Got 60000×60000 pixels/],
  ["60,000 × 60,000 pixels in a GIF", async () => dataUrl("gif", await claiming("gif")), /^Got 60000×60000 pixels/],
  ["16,383 × 16,383 pixels in a WebP", async () => dataUrl("webp", await claiming("webp")), /^Got 16383×16383 pixels/],
  ["60,000 × 60,000 pixels in an AVIF", async () => dataUrl("avif", await claiming("avif")), /pixels|damaged/],
  [
    "a text that unpacks to 100 MB",
    async () => dataUrl("png", withChunks(await picture(2, 2).png().toBuffer(), textBomb(100_000_000))),
    /more text/,
  ],
  [
    "a thousand texts of 8 MB",
    async () =>
      dataUrl(
        "png",
        withChunks(await picture(2, 2).png().toBuffer(), ...Array.from({ length: 1_000 }, () => EIGHT_MB)),
      ),
    /more text/,
  ],
  ["10,000 frames in a GIF", async () => dataUrl("gif", await longGif(10_000)), /^Got 10000 frames/],
  ["10,000 frames in a WebP", async () => dataUrl("webp", await longWebp(10_000)), /^Got 10000 frames/],
  [
    "10,000 frames in a PNG",
    async () => dataUrl("png", await animatedPng("#f00", "#0f0", 10_000)),
    /^Got 10000 frames/,
  ],
])("%s take less than 50 MB before they are refused", async (_, make, fault) => {
  const measured = measure(await make());
  expect(measured.fault).toMatch(fault);
  expect(measured.grownBytes).toBeLessThan(LIMIT_BYTES);
});

test("a column of 65,535 pixels takes less than 50 MB to check", async () => {
  const measured = measure(dataUrl("png", await picture(1, 65_535).png().toBuffer()));
  expect(measured.fault).toBeUndefined();
  expect(measured.grownBytes).toBeLessThan(LIMIT_BYTES);
});

test("a GIF whose data are in a million blocks of one byte takes less than 50 MB to check", async () => {
  const head = (await picture(16, 16).gif().toBuffer()).subarray(0, 13);
  const table = Buffer.alloc(3 * 2 ** ((head.readUInt8(10) & 7) + 1));
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 16, 0, 16, 0, 0, 8]);
  const blocks = Buffer.alloc(2 * 1_000_000, Buffer.from([1, 0]));
  const measured = measure(dataUrl("gif", Buffer.concat([head, table, frame, blocks, Buffer.from([0, 0x3b])])));
  expect(measured.fault).toBeUndefined();
  expect(measured.grownBytes).toBeLessThan(LIMIT_BYTES);
});

test("a CMYK image of six megapixels takes less than 50 MB to convert", async () => {
  const url = dataUrl("jpeg", await picture(2_450, 2_450).toColourspace("cmyk").jpeg().toBuffer());
  const measured = measure(url);
  expect(measured.fault).toBeUndefined();
  expect(measured.grownBytes).toBeLessThan(LIMIT_BYTES);
});

const EIGHT_MB = textBomb(8_000_000);
