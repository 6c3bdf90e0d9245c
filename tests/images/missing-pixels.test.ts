import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { countGifPixels } from "#lib/images/gif-pixels.ts";
import { check, dataUrl } from "./files.ts";

/** A GIF of 16 × 16 pixels whose data ends after so many bytes. Its sub-block and the file end as they should. */
async function shortGif(bytes: number): Promise<Buffer> {
  const noise = Buffer.from(Array.from({ length: 16 * 16 * 3 }, (_, index) => (index * index * 7) % 251));
  const gif = await sharp(noise, { raw: { width: 16, height: 16, channels: 3 } })
    .gif()
    .toBuffer();
  const data = gif.lastIndexOf(0x2c, gif.length - 200) + 11;
  return Buffer.concat([
    gif.subarray(0, data),
    Buffer.from([bytes]),
    gif.subarray(data + 1, data + 1 + bytes),
    Buffer.from([0, 0x3b]),
  ]);
}

test.each([1, 20, 100])(
  "a GIF whose pixels end after %i bytes is refused, because browsers draw what is there",
  async (bytes) => {
    expect(await check(dataUrl("gif", await shortGif(bytes)))).toEqual({
      fault: expect.stringMatching(/ends early or is damaged/),
    });
  },
);

test.each([2, 16, 256])("a GIF of %i colours, also an interlaced one, has all of its pixels", async (colours) => {
  const noise = Buffer.from(Array.from({ length: 90 * 70 * 3 }, (_, index) => (index * index * 7) % 251));
  for (const progressive of [false, true]) {
    const gif = await sharp(noise, { raw: { width: 90, height: 70, channels: 3 } })
      .gif({ colours, progressive })
      .toBuffer();
    expect(await check(dataUrl("gif", gif))).toMatchObject({ pixels: 6_300 });
  }
});

test("the pixels of a GIF end at a code that does not exist yet", () => {
  // Two bits a colour, so three a code: 4 (begin), 1, 1, 5 (end), and 4, 7, 1, 1, 1, 5.
  const whole = [2, 2, 0x4c, 0x0a, 0];
  const broken = [2, 3, 0x7c, 0x92, 0x02, 0];
  expect([whole, broken].map((data) => countGifPixels(Buffer.from(data), 0, 2))).toEqual([2, 0]);
});

describe("a JPEG with its end", () => {
  const noise = Buffer.from(Array.from({ length: 160 * 120 * 3 }, (_, index) => (index * index * 7) % 251));
  const written = sharp(noise, { raw: { width: 160, height: 120, channels: 3 } });
  const END = Buffer.from([0xff, 0xd9]);

  test.each([{ progressive: false }, { progressive: true }])(
    "is refused where pixels before it are missing, because browsers make them up (%j)",
    async (options) => {
      const jpeg = await written.clone().jpeg(options).toBuffer();
      const half = Buffer.concat([jpeg.subarray(0, jpeg.length / 2), END]);
      expect(await check(dataUrl("jpeg", half))).toEqual({ fault: expect.stringMatching(/ends early or is damaged/) });
    },
  );

  test("is refused where the pixels of its last rows are missing, however small the copy is that is looked at", async () => {
    const square = await written.clone().resize(512, 512, { fit: "fill" }).jpeg().toBuffer();
    const short = Buffer.concat([square.subarray(0, square.length * 0.9), END]);
    expect(await check(dataUrl("jpeg", short))).toEqual({ fault: expect.stringMatching(/ends early or is damaged/) });
  });

  test.each([
    { chromaSubsampling: "4:4:4", height: 96 },
    { chromaSubsampling: "4:2:0", height: 96 },
    { chromaSubsampling: "4:2:0", height: 104 },
    { chromaSubsampling: "4:2:0", height: 104, progressive: true },
    { colours: "b-w", height: 104 },
  ])("is refused where the last of its blocks is missing, and accepted where it is not (%j)", async (kind) => {
    const { colours = "srgb", height, ...options } = kind;
    const image = written.clone().resize(160, height, { fit: "fill" }).toColourspace(colours);
    const jpeg = await image.jpeg(options).toBuffer();
    const short = Buffer.concat([jpeg.subarray(0, -12), END]);
    expect(await check(dataUrl("jpeg", jpeg))).toMatchObject({ pixels: 160 * height });
    expect(await check(dataUrl("jpeg", short))).toEqual({ fault: expect.stringMatching(/ends early or is damaged/) });
  });

  test("is accepted in grey, whatever the sampling of its only component is", async () => {
    const jpeg = await written.clone().resize(160, 104).toColourspace("b-w").jpeg().toBuffer();
    jpeg[jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 11] = 0x22;
    expect(await check(dataUrl("jpeg", jpeg))).toMatchObject({ pixels: 160 * 104 });
  });

  test("is accepted where it only has a few bytes too many before it", async () => {
    const jpeg = await written.clone().jpeg().toBuffer();
    const long = Buffer.concat([jpeg.subarray(0, -2), Buffer.from([1, 2, 3]), END]);
    expect(await check(dataUrl("jpeg", long))).toMatchObject({ pixels: 19_200 });
  });

  test("is refused where no scan has the pixels of one of its colour components", async () => {
    const options = { optimizeCoding: false };
    const [colour, grey] = [
      await written.clone().jpeg(options).toBuffer(),
      await written.clone().toColourspace("b-w").jpeg(options).toBuffer(),
    ];
    const scan = Buffer.from([0xff, 0xda]);
    const colourless = Buffer.concat([colour.subarray(0, colour.indexOf(scan)), grey.subarray(grey.indexOf(scan))]);
    expect(await check(dataUrl("jpeg", colourless))).toEqual({
      fault: expect.stringMatching(/ends early or is damaged/),
    });
  });
});
