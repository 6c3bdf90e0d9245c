import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { pngChunk } from "#lib/images/png-first-frame.ts";
import { check, dataUrl, internationalTextBomb, picture, textBomb, withChunks, withUInt32 } from "./files.ts";

test.each(["IHDR", "IDAT", "IEND"])("a PNG whose %s has a wrong checksum is refused as damaged", async (type) => {
  const png = await picture(10, 10).png().toBuffer();
  const at = png.indexOf(type, 0, "latin1");
  const checksum = at + 4 + png.readUInt32BE(at - 4);
  png.writeUInt32BE((png.readUInt32BE(checksum) ^ 1) >>> 0, checksum);
  expect(await check(dataUrl("png", png))).toEqual({ fault: expect.stringContaining("is damaged") });
});

test.each([
  [
    "one text that unpacks to 20 MB",
    () => [textBomb(20_000_000)],
    /more text once unpacked, want at most 4000000 bytes/,
  ],
  ["many that do together", () => Array.from({ length: 50 }, () => textBomb(100_000)), /more text once unpacked/],
  ["ten thousand short ones", () => Array(10_000).fill(textBomb(1)), /more texts, want at most 1000/],
  ["an international text that unpacks to 20 MB", () => [internationalTextBomb(20_000_000)], /more text once unpacked/],
  [
    "a colour profile that does",
    () => [pngChunk("iCCP", Buffer.concat([Buffer.from("p\0\0"), textBomb(9_000_000).subarray(17)]))],
    /larger colour profile/,
  ],
  ["texts that cannot be unpacked", () => Array(11).fill(brokenText()), /more text once unpacked/],
  ["100,000 chunks", () => Array(100_000).fill(pngChunk("tEXt", Buffer.alloc(0))), /more chunks, want at most 50000/],
  ["EXIF data of a megabyte", () => [pngChunk("eXIf", Buffer.alloc(1_000_000))], /1000000 bytes of EXIF data/],
] as const)("a PNG with %s is refused", async (_, chunks, reason) => {
  const png = withChunks(await picture(2, 2).png().toBuffer(), ...chunks());
  expect(await check(dataUrl("png", png))).toEqual({ fault: expect.stringMatching(reason) });
});

/** A text whose checksum is wrong, which a decompressor finds at its end. */
function brokenText(): Buffer {
  const data = textBomb(1_000).subarray(8, -4);
  return pngChunk("zTXt", withUInt32(data, data.length - 4, 0));
}

test("of the colour profiles of a PNG, all but the first are removed unread", async () => {
  const profile = (bytes: number) =>
    pngChunk("iCCP", Buffer.concat([Buffer.from("p\0\0"), textBomb(bytes).subarray(17)]));
  const png = await picture(2, 2).png().toBuffer();
  const checked = await check(dataUrl("png", withChunks(png, profile(100), profile(200), profile(9_000_000))));
  expect(checked).toEqual({ pixels: 4, url: dataUrl("png", withChunks(png, profile(100))) });
});

test("texts of a PNG within the limits are removed, and its pixels stay", async () => {
  const plain = await picture(2, 2).png().toBuffer();
  const url = dataUrl("png", withChunks(plain, textBomb(10_000), pngChunk("tEXt", Buffer.from("Title\0A"))));
  expect(await check(url)).toEqual({ pixels: 4, url: dataUrl("png", plain) });
});

test.each([
  ["that ends before its last chunk", (png: Buffer) => png.subarray(0, -12)],
  ["whose last chunk ends early", (png: Buffer) => withUInt32(png, png.length - 12, 5)],
] as const)("a PNG %s is refused", async (_, damage) => {
  const png = await picture(2, 2).png().toBuffer();
  expect(await check(dataUrl("png", damage(png)))).toEqual({
    fault: expect.stringMatching(/ends early or is damaged/),
  });
});

/** A profile with tags of these names. What they hold is not read. */
function profileOf(...tags: string[]): Buffer {
  const profile = Buffer.alloc(132 + 12 * tags.length);
  profile.writeUInt32BE(profile.length, 0);
  profile.write("mntrRGB XYZ ", 12, "latin1");
  profile.write("acsp", 36, "latin1");
  profile.writeUInt32BE(tags.length, 128);
  for (const [index, tag] of tags.entries()) profile.write(tag, 132 + 12 * index, "latin1");
  return profile;
}

/** Not compressed, because libpng leaves out profiles of a few bytes. */
async function pngWith(profile: Buffer): Promise<string> {
  const chunk = pngChunk("iCCP", Buffer.concat([Buffer.from("x\0\0"), deflateSync(profile, { level: 0 })]));
  return dataUrl("png", withChunks(await picture(8, 8).png().toBuffer(), chunk));
}

describe("a colour profile", () => {
  test.each(["D2B0", "D2B1", "D2B2", "D2B3"])(
    "with steps in floating point (%s), each of which takes milliseconds, is refused",
    async (tag) => {
      const fault = "Got a colour profile with steps in floating point (D2B0), want one without them.";
      expect(await check(await pngWith(profileOf("A2B0", tag)))).toEqual({ fault });
    },
  );

  test("of another kind is accepted, and so is one that is cut short", async () => {
    for (const profile of [profileOf("A2B0", "B2D0"), profileOf("A2B0").subarray(0, 140), Buffer.alloc(20)])
      expect(await check(await pngWith(profile))).toHaveProperty("pixels", 64);
    for (const name of ["srgb", "p3"]) {
      const file = await picture(8, 8).withIccProfile(name).jpeg().toBuffer();
      expect(await check(dataUrl("jpeg", file))).toHaveProperty("pixels", 64);
    }
  });
});
