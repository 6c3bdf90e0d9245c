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
