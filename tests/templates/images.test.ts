import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { readFields } from "#lib/templates/field-values.ts";
import { fieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { checkImage } from "#lib/templates/images.ts";

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#a30" } });
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString("base64")}`;

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** A PNG of a few hundred bytes whose header claims this size. */
function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const chunks = [
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(Buffer.alloc(1_000))),
    pngChunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...chunks]);
}

test.each(["png", "jpeg", "webp", "gif"] as const)("a %s is accepted, with its pixels", async (format) => {
  const bytes = await picture(40, 30).toFormat(format).toBuffer();
  expect(await checkImage(dataUrl(`image/${format}`, bytes))).toEqual({ pixels: 1200 });
});

test.each([
  ["an address", "https://example.com/x.png", /want a "data:" URL/],
  ["a file", "file:///etc/passwd", /want a "data:" URL/],
  ["SVG", dataUrl("image/svg+xml", Buffer.from("<svg/>")), /want a "data:" URL/],
  ["a charset before base64", "data:image/png;charset=x;base64,AAAA", /want a "data:" URL/],
  ["text instead of base64", "data:image/png;base64,????", /not canonical/],
  ["nothing", "data:image/png;base64,", /not canonical/],
  ["bytes that are no image", dataUrl("image/png", Buffer.from("hello world")), /no image/],
  [
    "60,000 × 60,000 pixels in a header",
    dataUrl("image/png", pngBomb(60_000, 60_000)),
    /^Got 60000×60000 pixels, want at most/,
  ],
])("%s is refused", async (_, url, reason) => {
  expect(await checkImage(url)).toEqual({ fault: expect.stringMatching(reason) });
});

test("a GIF counts by the screen that its frames stand on", async () => {
  const gif = await picture(1, 1).gif().toBuffer();
  gif.writeUInt16LE(22_000, 6);
  gif.writeUInt16LE(22_000, 8);
  expect(await checkImage(dataUrl("image/gif", gif))).toEqual({
    fault: expect.stringMatching(/^Got 22000×22000 pixels/),
  });
});

test("pixels of 16 bits count for what they take", async () => {
  const png = await sharp({ create: { width: 6_000, height: 5_000, channels: 4, background: "#0000" } })
    .toColourspace("rgb16")
    .png()
    .toBuffer();
  expect(await checkImage(dataUrl("image/png", png))).toEqual({
    fault: "Got 240000000 bytes once decoded, want at most 200000000.",
  });
});

test("ten thousand frames are refused from the header, in a GIF and in a PNG", async () => {
  const frame = (await picture(2, 2).gif().toBuffer()).subarray(0, -1);
  const image = frame.subarray(frame.lastIndexOf(0x2c));
  const gif = Buffer.concat([frame, ...Array.from({ length: 10_000 }, () => image), Buffer.from([0x3b])]);
  expect(await checkImage(dataUrl("image/gif", gif))).toEqual({ fault: "Got 10001 frames, want at most 500." });
  const png = await picture(2, 2).png().toBuffer();
  const control = Buffer.alloc(8);
  control.writeUInt32BE(10_000, 0);
  const animated = Buffer.concat([png.subarray(0, 33), pngChunk("acTL", control), png.subarray(33)]);
  expect(await checkImage(dataUrl("image/png", animated))).toEqual({ fault: "Got 10000 frames, want at most 500." });
});

test("a check that nobody waits for any more does not begin to decode", async () => {
  const url = dataUrl("image/png", await picture(10, 10).png().toBuffer());
  await expect(checkImage(url, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
});

test("a type that is not the content's is refused", async () => {
  const jpeg = await picture(10, 10).jpeg().toBuffer();
  expect(await checkImage(dataUrl("image/png", jpeg))).toEqual({ fault: "Got jpeg, want png as the URL says." });
});

test.each(["png", "jpeg", "webp"] as const)("a %s that ends early is refused", async (format) => {
  const noise = sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: "#000",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });
  const bytes = await noise.toFormat(format).toBuffer();
  expect(await checkImage(dataUrl(`image/${format}`, bytes.subarray(0, bytes.length / 2)))).toEqual({
    fault: expect.stringMatching(/ends early|no image/),
  });
});

test("all images of a request share one budget of pixels", async () => {
  const url = dataUrl("image/png", await picture(6_000, 5_000).png().toBuffer());
  const image = fieldDeclaration.parse({ type: "image", label: "Photo" });
  const { issues } = await readFields({
    declarations: { a: image, b: image },
    values: { a: url, b: url },
    path: "/data",
  });
  expect(issues.map(({ path, code }) => ({ path, code }))).toEqual([{ path: "/data/b", code: "image_rejected" }]);
});
