import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { pngChunk } from "#lib/images/png-first-frame.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { prepareMachine } from "../render/rig.ts";
import { manifestWith, templatesRoot, writeTemplate } from "../templates/template-folder.ts";
import { animatedPng, animation, bytesOf, check, dataUrl, picture, withChunks, withUInt32 } from "./files.ts";

const FRAME = { width: 80, height: 60 };

beforeAll(prepareMachine);
afterAll(shutDown);

/** Red, green, blue and yellow, from left to right and from top to bottom. */
async function quarters(): Promise<Buffer> {
  const tiles = await Promise.all(
    ["#f00", "#0f0", "#00f", "#ff0"].map((color) => picture(40, 30, color).png().toBuffer()),
  );
  const composed = tiles.map((input, index) => ({ input, left: (index % 2) * 40, top: index > 1 ? 30 : 0 }));
  return await picture(80, 60).composite(composed).png().toBuffer();
}

/** Renders a checked image. Returns a pixel of each quarter, and the natural size of the image. */
async function draw(url: string) {
  const checked = await check(url);
  if ("fault" in checked) return expect.fail(checked.fault);
  const html = `<!doctype html><body style="margin:0"><img src="${checked.url}" style="display:block;width:80px;height:60px">`;
  const measure = "[document.images[0].naturalWidth, document.images[0].naturalHeight]";
  const { png, measured } = await renderPicture({ html, ...FRAME, measure });
  const pixels = await sharp(png).removeAlpha().raw().toBuffer();
  const at = (x: number, y: number) => [...pixels.subarray((y * 80 + x) * 3, (y * 80 + x) * 3 + 3)];
  return { corners: [at(20, 15), at(60, 15), at(20, 45), at(60, 45)], size: measured, url: checked.url };
}

const COLORS: Record<string, number[]> = { R: [255, 0, 0], G: [0, 255, 0], B: [0, 0, 255], Y: [255, 255, 0] };

/** The nearest of the four colours, for lossy formats. */
function letters(corners: number[][]): string {
  const isNear = (a: number[], b: number[]) => a.every((value, index) => Math.abs(value - (b[index] ?? 0)) < 12);
  return corners
    .map((corner) => Object.keys(COLORS).find((name) => isNear(corner, COLORS[name] ?? [])) ?? "?")
    .join("");
}

const UPRIGHT: [orientation: number, corners: string][] = [
  [1, "RGBY"],
  [2, "GRYB"],
  [3, "YBGR"],
  [4, "BYRG"],
  [5, "RBGY"],
  [6, "BRYG"],
  [7, "YGBR"],
  [8, "GYRB"],
];

describe.each(["jpeg", "png", "webp"] as const)("a %s is rendered upright", (format) => {
  test.each(UPRIGHT)("as its orientation %i says", async (orientation, corners) => {
    const bytes = await sharp(await quarters())
      .toFormat(format, { quality: 100 })
      .withMetadata({ orientation })
      .toBuffer();
    expect((await sharp(bytes).metadata()).orientation).toBe(orientation);
    const drawn = await draw(dataUrl(format, bytes));
    expect(letters(drawn.corners)).toBe(corners);
    expect(drawn.size).toEqual(orientation > 4 ? [60, 80] : [80, 60]);
  });
});

describe("colours", () => {
  const COLOR = { r: 200, g: 60, b: 40 };
  const plain = () => sharp({ create: { ...FRAME, channels: 3, background: COLOR } });
  const near = (corners: number[][], wanted: number[]) => {
    for (const corner of corners)
      for (const [index, value] of corner.entries())
        expect(Math.abs(value - (wanted[index] ?? 0)), String(corner)).toBeLessThanOrEqual(2);
  };

  test.each(["jpeg", "png", "webp", "avif"] as const)(
    "of Display P3 are right in a %s, whose bytes stay unchanged",
    async (format) => {
      const bytes = await plain().withIccProfile("p3").toFormat(format, { quality: 100 }).toBuffer();
      const stored = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer();
      expect(Math.abs((stored[0] ?? 0) - COLOR.r), "the file holds other numbers than sRGB would").toBeGreaterThan(8);
      const url = dataUrl(format, bytes);
      const drawn = await draw(url);
      near(drawn.corners, [COLOR.r, COLOR.g, COLOR.b]);
      expect(drawn.url).toBe(url);
    },
  );

  test("of a CMYK profile are those of the profile, not those that Chromium assumes", async () => {
    const bytes = await plain().withIccProfile("cmyk").jpeg({ quality: 100 }).toBuffer();
    expect(await sharp(bytes).metadata()).toMatchObject({ space: "cmyk" });
    const [r = 0, g = 0, b = 0] = await sharp(bytes).toColourspace("srgb").raw().toBuffer();
    const drawn = await draw(dataUrl("jpeg", bytes));
    near(drawn.corners, [r, g, b]);
    const guessed = await renderPicture({
      html: `<body style="margin:0"><img src="${dataUrl("jpeg", bytes)}">`,
      ...FRAME,
    });
    const [, , blue = 0] = await sharp(guessed.png).removeAlpha().raw().toBuffer();
    expect(Math.abs(blue - b), "without the conversion it is wrong").toBeGreaterThan(10);
  });

  test("and orientation are both right in one file", async () => {
    const bytes = await sharp(await quarters())
      .withIccProfile("cmyk")
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100 })
      .toBuffer();
    const drawn = await draw(dataUrl("jpeg", bytes));
    expect(drawn.size).toEqual([60, 80]);
    const [r, g, b] = drawn.corners[1] ?? [];
    expect(r, `top right is red: ${[r, g, b]}`).toBeGreaterThan(180);
  });
});

describe("an animation shows its first frame, and contains no other", () => {
  test.each([
    ["gif", () => animation("gif", ["#f00", "#0f0", "#00f"])],
    ["webp", () => animation("webp", ["#f00", "#0f0", "#00f"])],
    ["png", () => animatedPng("#f00", "#0f0")],
  ] as const)("a %s", async (format, make) => {
    const drawn = await draw(dataUrl(format, await make()));
    expect(letters(drawn.corners)).toBe("RRRR");
    const bytes = bytesOf(drawn.url);
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
    expect(bytes.includes("fdAT") || bytes.includes("ANMF")).toBe(false);
  });

  test("a png whose still picture is no part of it, which browsers never show", async () => {
    const png = await animatedPng("#f00", "#0f0");
    const [start, end] = [png.indexOf("fcTL") - 4, png.indexOf("fcTL") + 34];
    const hidden = Buffer.concat([png.subarray(0, start), png.subarray(end)]);
    const drawn = await draw(dataUrl("png", hidden));
    expect(letters(drawn.corners)).toBe("GGGG");
    expect(bytesOf(drawn.url).includes("fdAT")).toBe(false);
    const head = hidden.indexOf("fcTL") + 4;
    const data = withUInt32(hidden.subarray(head, head + 26), 12, 1);
    const moved = Buffer.concat([hidden.subarray(0, head - 8), pngChunk("fcTL", data), hidden.subarray(head + 30)]);
    expect(await check(dataUrl("png", moved))).toEqual({ fault: expect.stringContaining("fills a part of it") });
  });

  test("a first frame smaller than its logical screen keeps its place", async () => {
    const gif = await animation("gif", ["#f00", "#0f0"], { width: 40, height: 30 });
    gif.writeUInt16LE(80, 6);
    gif.writeUInt16LE(60, 8);
    const drawn = await draw(dataUrl("gif", gif));
    expect(drawn.size).toEqual([80, 60]);
    expect(drawn.corners).toEqual([COLORS.R, [255, 255, 255], [255, 255, 255], [255, 255, 255]]);
  });
});

/** 80 × 64 pixels, red around 48 × 32 green ones, to which its clean aperture cuts it. Written by avifenc 0.11.1. */
const CUT_AVIF = `
  AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAEbbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYA
  AAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABQwAAADYAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IA
  AAAAk2lwcnAAAABzaXBjbwAAABRpc3BlAAAAAAAAAFAAAABAAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAABAA0ABoAA
  AAAoY2xhcAAAADAAAAABAAAAIAAAAAEAAAAAAAAAAQAAAAAAAAABAAAAGGlwbWEAAAAAAAAAAQABBQECgwSFAAAAPm1kYXQSAAoJOBln/8oCGg0g
  MicSgAAAQED78Z9wsBrvnAwuQmZqUubJKUdeIbOM0tL4f+1yOC56Gz4=
`;

test("an AVIF is cut to its clean aperture", async () => {
  const drawn = await draw(dataUrl("avif", Buffer.from(CUT_AVIF, "base64")));
  expect(letters(drawn.corners)).toBe("GGGG");
  expect(drawn.size).toEqual([48, 32]);
});

test("an AVIF whose description has the name of that property stays as it is", async () => {
  const described = picture(60, 40).withExif({ IFD0: { ImageDescription: "clapping hands" } });
  const url = dataUrl("avif", await described.avif().toBuffer());
  expect(await check(url)).toMatchObject({ url });
});

/** Two tiles of 64 × 64 pixels. Written by avifenc 0.11.1. */
const TILED_AVIF = `
  AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAF/bWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYA
  AAAADnBpdG0AAAAAAAEAAAA6aWxvYwAAAABEAAADAAEAAAABAAABpwAAAAgAAgAAAAEAAAGvAAAAIAADAAAAAQAAAc8AAAAvAAAAXGlpbmYAAAAA
  AAMAAAAaaW5mZQIAAAAAAQAAZ3JpZENvbG9yAAAAABppbmZlAgAAAQACAABhdjAxQ29sb3IAAAAAGmluZmUCAAABAAMAAGF2MDFDb2xvcgAAAAAc
  aXJlZgAAAAAAAAAQZGltZwABAAIAAgADAAAAi2lwcnAAAABfaXBjbwAAABRpc3BlAAAAAAAAAIAAAABAAAAAEHBpeGkAAAAAAwgICAAAABNjb2xy
  bmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAAxhdjFDgQAMAAAAACRpcG1hAAAAAAAAAAMAAQMBAgMAAgQEAoUDAAMEBAKFAwAAAF9t
  ZGF0AAAAAQCAAEASAAoJGBV//5ICGg0IMhEWQAAAQAADzg+cKinVC74EoBIACgkYFX//kgIaDQgyIBZAABAABATWDrf0ZA4sX2HGlZkBkOKpFcsn
  SNlpMcIz
`;

const whole = Buffer.from(TILED_AVIF, "base64");
const damaged = Buffer.concat([whole.subarray(0, -4), Buffer.alloc(4)]);
const notDecoded = { code: "image_rejected", message: expect.stringContaining("could not be decoded") };

test("an AVIF with a damaged tile is refused, because a browser draws none of its tiles", async () => {
  const render = (bytes: Buffer) =>
    renderTemplate({ template: "social/speaker", data: { portrait: dataUrl("avif", bytes) } });
  await render(whole);
  await expect(render(damaged)).rejects.toMatchObject(notDecoded);
});

test("an image of a drawing in the markup that the browser does not draw is refused", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({ photo: { type: "image", label: "Photo" } }),
    "content.json": JSON.stringify({ plain: {} }),
    "template.html": '{% if photo %}<svg><image href="{{ photo }}" width="80" height="60"></image></svg>{% endif %}',
  });
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  const render = (url: string) => renderTemplate({ template: "card", data: { photo: url } });
  await render(dataUrl("avif", whole));
  await expect(render(dataUrl("avif", damaged))).rejects.toMatchObject(notDecoded);
  // Only a browser refuses a matrix of coefficients, which a PNG cannot have.
  const png = withChunks(await picture(80, 60).png().toBuffer(), pngChunk("cICP", Buffer.from([1, 13, 1, 1])));
  await expect(render(dataUrl("png", png))).rejects.toMatchObject(notDecoded);
  vi.unstubAllEnvs();
});

test("the same image gives the same bytes, converted or not", async () => {
  const turned = await sharp(await quarters())
    .webp()
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const printed = await picture(80, 60).withIccProfile("cmyk").jpeg().toBuffer();
  for (const url of [
    dataUrl("webp", turned),
    dataUrl("jpeg", printed),
    dataUrl("gif", await animation("gif", ["#f00", "#0f0"])),
  ])
    expect(await check(url)).toEqual(await check(url));
});
