import sharp from "sharp";
import { describe, expect, test, vi } from "vitest";
import { Decoder } from "#lib/images/decoder/decoder.ts";
import { openImage } from "#lib/images/open-image.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { fieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { animatedPng, animation, check, dataUrl, longGif, longWebp, picture, pngBomb } from "./files.ts";

const FORMATS = ["png", "jpeg", "webp", "gif", "avif"] as const;

test.each(FORMATS)("a %s is accepted with its pixels, and its bytes stay unchanged", async (format) => {
  const url = dataUrl(format, await picture(40, 30).toFormat(format).toBuffer());
  expect(await check(url)).toEqual({ pixels: 1_200, url });
});

test.each([
  ["an address", "https://example.com/x.png", /want a "data:" URL/],
  ["a file", "file:///etc/passwd", /want a "data:" URL/],
  ["a charset before base64", "data:image/png;charset=x;base64,AAAA", /want a "data:" URL/],
  ["white space before it", " data:image/png;base64,AAAA", /want a "data:" URL/],
  ["capitals", "DATA:image/png;base64,AAAA", /want a "data:" URL/],
  ["text instead of base64", "data:image/png;base64,????", /"\?" as character 1 of the base64/],
  ["base64 without padding", "data:image/png;base64,AA", /not canonical/],
  ["base64 for addresses", "data:image/png;base64,+/_-", /"_" as character 3 of the base64/],
  ["base64 with a line end", "data:image/png;base64,AAAA\nAAAA", /"\\n" as character 5 of the base64/],
  ["nothing", "data:image/png;base64,", /empty file/],
  ["bytes that are not an image", dataUrl("png", Buffer.from("hello world")), /not an image, want PNG, JPEG/],
  ["TIFF", dataUrl("png", Buffer.from("49492a0008000000", "hex")), /not an image/],
  ["HEIC", dataUrl("avif", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic")), /not an image/],
  ["another container of WebP data", dataUrl("webp", Buffer.from("XIFF\x20\0\0\0WEBPVP8 ")), /not an image/],
  ["PDF", dataUrl("png", Buffer.from("%PDF-1.7\n")), /not an image/],
  ["60,000 × 60,000 pixels", dataUrl("png", pngBomb(60_000, 60_000)), /^Got 60000×60000 pixels, want at most/],
  [
    "a row of 65,536 pixels",
    dataUrl("png", pngBomb(65_536, 1)),
    /^Got 65536×1 pixels, want at most 65,535 on each side/,
  ],
])("%s is refused", async (_, url, reason) => {
  expect(await check(url)).toEqual({ fault: expect.stringMatching(reason) });
});

describe("SVG", () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each([
    ["by its type", dataUrl("svg+xml", Buffer.from(drawing)), /^Got SVG, which is a document/],
    ["by its type, as text", `data:image/svg+xml,${drawing}`, /want a "data:" URL/],
    ["as a PNG", dataUrl("png", Buffer.from(drawing)), /^Got SVG, want PNG/],
    [
      "behind a declaration",
      dataUrl("png", Buffer.from(`\ufeff<?xml version="1.0"?>\n<!DOCTYPE svg [<!ENTITY a "b">]>${drawing}`)),
      /^Got SVG, want PNG/,
    ],
  ])("is refused, and named: %s", async (_, url, reason) => {
    expect(await check(url)).toEqual({ fault: expect.stringMatching(reason) });
  });
});

describe("a type that differs from the content", () => {
  const pairs = FORMATS.flatMap((content) =>
    FORMATS.filter((type) => type !== content).map((type) => [content, type] as const),
  );
  test.each(pairs)("%s as %s is refused", async (content, type) => {
    const bytes = await picture(10, 10).toFormat(content).toBuffer();
    const names = { png: "PNG", jpeg: "JPEG", webp: "WebP", gif: "GIF", avif: "AVIF" };
    expect(await check(dataUrl(type, bytes))).toEqual({
      fault: `Got ${names[content]}, want ${names[type]} as the URL says.`,
    });
  });
});

test("the pixels of a GIF are those of its logical screen", async () => {
  const gif = await picture(1, 1).gif().toBuffer();
  gif.writeUInt16LE(22_000, 6);
  gif.writeUInt16LE(22_000, 8);
  expect(await check(dataUrl("gif", gif))).toEqual({ fault: expect.stringMatching(/^Got 22000×22000 pixels/) });
});

test("pixels of 16 bits count with their memory", async () => {
  const png = await sharp({ create: { width: 6_000, height: 5_000, channels: 4, background: "#0000" } })
    .toColourspace("rgb16")
    .png()
    .toBuffer();
  expect(await check(dataUrl("png", png))).toEqual({
    fault: "Got 240000000 bytes once decoded, want at most 200000000.",
  });
});

test("a JPEG in arithmetic coding is refused, because browsers leave it out", async () => {
  const jpeg = await picture(16, 16).jpeg().toBuffer();
  jpeg[jpeg.indexOf(Buffer.from("ffc0", "hex")) + 1] = 0xc9;
  expect(await check(dataUrl("jpeg", jpeg))).toEqual({ fault: expect.stringMatching(/arithmetic .* coding/) });
});

test("an AVIF, which takes more memory to decode, has a lower limit", async () => {
  const avif = await picture(16, 16).avif({ effort: 0 }).toBuffer();
  const size = avif.indexOf("ispe");
  for (const offset of [8, 12]) avif.writeUInt32BE(4_200, size + offset);
  expect(await check(dataUrl("avif", avif))).toEqual({
    fault: "Got 4200×4200 pixels, want at most 16,777,216 in an AVIF.",
  });
});

test.each([
  ["gif", 10_000, longGif],
  ["webp", 10_000, longWebp],
  // So many that a decoder which got the file would be ended, because it takes too long.
  ["webp", 200_000, longWebp],
  ["png", 10_000, (frames: number) => animatedPng("#f00", "#0f0", frames)],
] as const)("in a %s, %i frames are refused", async (type, frames, make) => {
  expect(await check(dataUrl(type, await make(frames)))).toEqual({ fault: `Got ${frames} frames, want at most 500.` });
});

test("a JPEG of a hundred scans is refused, and one of ten with more in its EXIF data is not", async () => {
  const jpeg = await picture(16, 16).jpeg({ progressive: true }).toBuffer();
  const scan = jpeg.subarray(jpeg.lastIndexOf("ffda", undefined, "hex"), -2);
  const scanned = Buffer.concat([jpeg.subarray(0, -2), ...Array<Buffer>(100).fill(scan), jpeg.subarray(-2)]);
  expect(await check(dataUrl("jpeg", scanned))).toEqual({
    fault: expect.stringMatching(/^Got 1\d\d scans, want at most 32\.$/),
  });
  const exif = Buffer.concat([Buffer.from("ffe100caffff", "hex"), Buffer.alloc(198, "ffda", "hex")]);
  const labelled = Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
  expect(await check(dataUrl("jpeg", labelled))).toEqual({ pixels: 256, url: dataUrl("jpeg", labelled) });
});

test("a GIF that ends in its second frame is refused", async () => {
  const gif = await animation("gif", ["#f00", "#0f0"]);
  expect(await check(dataUrl("gif", gif.subarray(0, -4)))).toEqual({
    fault: expect.stringMatching(/ends early or is damaged/),
  });
});

test("an animated AVIF is refused", async () => {
  const avif = await picture(16, 16).avif({ effort: 0 }).toBuffer();
  avif.write("avis", avif.indexOf("mif1"));
  expect(await check(dataUrl("avif", avif))).toEqual({ fault: "Got an animated AVIF, want a still one." });
});

test.each([
  { kind: "quick", width: 500, height: 500 },
  { kind: "larger", width: 3_000, height: 2_000 },
])("two $kind images at most are decoded at once", async ({ width, height }) => {
  const url = dataUrl("png", await picture(width, height).png().toBuffer());
  const { run } = Decoder.prototype;
  let underWay = 0;
  let most = 0;
  const runs = vi.spyOn(Decoder.prototype, "run").mockImplementation(async function (this: Decoder, name, ...rest) {
    const running = run.call(this, name, ...rest);
    if (name !== "decode") return await running;
    most = Math.max(most, ++underWay);
    return await running.finally(() => underWay--);
  } as typeof run);
  await Promise.all(Array.from({ length: 6 }, () => check(url)));
  runs.mockRestore();
  expect(most).toBe(2);
});

test("an aborted check does not start to decode", async () => {
  const opened = await openImage(await picture(10, 10).png().toBuffer());
  if ("fault" in opened) return expect.fail(opened.fault);
  await expect(opened.decode(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
});

test.each(FORMATS)("a %s that ends early is refused", async (format) => {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const bytes = await sharp({ create: { width: 120, height: 120, channels: 3, background: "#000", noise } })
    .toFormat(format, format === "avif" || format === "gif" ? { effort: 1 } : {})
    .toBuffer();
  for (const part of [0.1, 0.5, 0.98])
    expect(await check(dataUrl(format, bytes.subarray(0, bytes.length * part))), `${part}`).toEqual({
      fault: "Got an image that ends early or is damaged, want a whole one.",
    });
});

describe("the pixel budget", () => {
  const image = fieldDeclaration.parse({ type: "image", label: "Photo" });
  const read = (values: Record<string, unknown>) =>
    readFields({ declarations: { a: image, b: image, c: image }, values, path: "/data" });

  test("is shared by all images of a request, in the order of the fields", async () => {
    const url = dataUrl("png", await picture(6_000, 5_000).png().toBuffer());
    const small = dataUrl("png", await picture(10, 10).png().toBuffer());
    const { issues } = await read({ a: url, b: url, c: small });
    expect(issues).toEqual([
      {
        path: "/data/b",
        code: "image_rejected",
        message: "Got 60,000,000 pixels with the images before it, want at most 50,000,000 in a request.",
      },
      { path: "/data/c", code: "image_rejected", message: expect.stringContaining("60,000,100 pixels") },
    ]);
  });

  test("is reported together with all other faults", async () => {
    const { issues } = await read({ a: "file:///etc/passwd", b: 7, c: dataUrl("png", pngBomb(60_000, 60_000)) });
    expect(issues.map(({ path, code }) => [path, code])).toEqual([
      ["/data/a", "image_rejected"],
      ["/data/b", "invalid_type"],
      ["/data/c", "image_rejected"],
    ]);
  });
});
