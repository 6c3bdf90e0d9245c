import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { bytesOf, check, dataUrl, picture } from "./files.ts";

/** A WebP that lies on its side. Chromium does not turn it, so it is converted. */
function turned(width: number, height: number, { lossless }: { lossless: boolean }): Promise<Buffer> {
  return picture(width, height).withMetadata({ orientation: 6 }).webp({ lossless, effort: 0 }).toBuffer();
}

async function converted(webp: Buffer): Promise<Buffer> {
  const checked = await check(dataUrl("webp", webp));
  return "fault" in checked ? expect.fail(checked.fault) : bytesOf(checked.url);
}

describe("a turned WebP, whose encoder cannot be stopped,", () => {
  test.each([true, false])("has as many pixels as the largest picture at most (lossless: %s)", async (lossless) => {
    const { width, height } = await sharp(await converted(await turned(8_192, 2_400, { lossless }))).metadata();
    expect(width * height).toBeLessThanOrEqual(4_096 * 4_096 * 1.001);
    expect(width / height).toBeCloseTo(2_400 / 8_192, 3);
  });

  test("that is smaller keeps every pixel", async () => {
    for (const lossless of [true, false]) {
      const { width, height } = await sharp(await converted(await turned(400, 300, { lossless }))).metadata();
      expect([width, height]).toEqual([300, 400]);
    }
  });

  test("and lossless becomes a PNG with the same colours, because noise takes the encoder of lossless WebP too long", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const webp = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#000", noise } })
      .withMetadata({ orientation: 6 })
      .webp({ lossless: true })
      .toBuffer();
    const checked = await check(dataUrl("webp", webp));
    const url = "url" in checked ? checked.url : "";
    expect(url).toMatch(/^data:image\/png;/);
    const pixelsOf = (bytes: Buffer) => sharp(bytes).autoOrient().removeAlpha().raw().toBuffer();
    expect((await pixelsOf(bytesOf(url))).equals(await pixelsOf(webp))).toBe(true);
  });
});
