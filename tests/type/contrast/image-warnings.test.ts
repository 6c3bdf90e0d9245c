import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { rendering, shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { manifestWith, templatesRoot, writeTemplate } from "#tests/templates/template-folder.ts";

beforeAll(prepareMachine);
afterAll(async () => {
  vi.unstubAllEnvs();
  await shutDown();
});

async function imageOf(width: number, height: number): Promise<string> {
  const png = await sharp({ create: { width, height, channels: 4, background: "#3366cc80" } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}

type Card = { css?: string; html?: string; data?: Record<string, unknown>; isStrict?: boolean; own?: string };

const IMAGE = '<img data-image="photo" src="{{ photo }}" alt="">';

/** Renders a card of 400 × 200, and returns the warnings about its image. */
async function warningsOf({ css = "", html = IMAGE, data = {}, isStrict = false, own }: Card) {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({ photo: { type: "image", label: "Photo" } }),
    "template.html": `<main>{% if photo %}${html}{% endif %}</main>`,
    "style.css": `img { width: 200px; height: 100px; } ${css}`,
    "content.json": JSON.stringify({ plain: own ? { photo: own } : {} }),
  });
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  rendering.get().pictures.clear();
  const { warnings } = await renderTemplate({ template: "card", data }, { isStrict });
  return warnings.map(({ path, code, message }) => `${path} ${code}: ${message}`);
}

const upscaled = expect.stringContaining("image_upscaled");
const cropped = expect.stringContaining("image_cropped");

describe("an image that is shown whole, and becomes too thin to be seen,", () => {
  const css = "img { object-fit: contain !important; }";

  test("is reported as not shown, with the shape that is wanted", async () => {
    expect(await warningsOf({ css, data: { photo: await imageOf(8_000, 4) } })).toEqual([
      "/data/photo field_ignored: Too thin to be seen, 0.1 px: got 8000 × 4 px, want the shape of 200 × 100 px.",
    ]);
  });

  test("may be a hairline of half a pixel", async () => {
    expect(await warningsOf({ css, data: { photo: await imageOf(2_000, 5) } })).toEqual([]);
    expect(await warningsOf({ data: { photo: await imageOf(8_000, 4) } })).toEqual([upscaled, cropped]);
  });
});

describe("an image with too few pixels", () => {
  test("is reported with the size that is wanted", async () => {
    expect(await warningsOf({ data: { photo: await imageOf(8, 4) } })).toEqual([
      "/data/photo image_upscaled: Blown up 25 times: got 8 × 4 px, want at least 100 × 50 px.",
    ]);
  });

  test("may be blown up twice", async () => {
    expect(await warningsOf({ data: { photo: await imageOf(100, 50) } })).toEqual([]);
    expect(await warningsOf({ data: { photo: await imageOf(98, 49) } })).toEqual([upscaled]);
  });

  test.each([
    ["object-fit: contain", 0],
    ["object-fit: none", 0],
    ["object-fit: scale-down", 0],
    ["object-fit: fill", 1],
    ["object-fit: contain; transform: scale(1.5)", 1],
  ])("is judged by the size at which it is drawn: %s", async (rule, count) => {
    const warnings = await warningsOf({ css: `img { ${rule} !important; }`, data: { photo: await imageOf(60, 80) } });
    expect(warnings.filter((warning) => warning.includes("image_upscaled"))).toHaveLength(count);
  });
});

describe("an image that is cut", () => {
  test("is reported with the part that is shown, and the shape that is wanted", async () => {
    expect(await warningsOf({ data: { photo: await imageOf(2_000, 200) } })).toEqual([
      "/data/photo image_cropped: Cropped: 20 % of the image is shown. Got 2000 × 200 px, want the shape of 200 × 100 px.",
    ]);
  });

  test("may lose half", async () => {
    expect(await warningsOf({ data: { photo: await imageOf(400, 100) } })).toEqual([]);
    expect(await warningsOf({ data: { photo: await imageOf(420, 100) } })).toEqual([cropped]);
  });

  test("is cut by the elements around it, by the edge of the picture, and by its own position", async () => {
    const data = { photo: await imageOf(400, 200) };
    const around = `<div class="frame">${IMAGE}</div>`;
    expect(await warningsOf({ html: around, css: ".frame { width: 90px; overflow: hidden; }", data })).toEqual([
      cropped,
    ]);
    expect(await warningsOf({ html: around, css: ".frame { width: 90px; }", data })).toEqual([]);
    expect(await warningsOf({ css: "img { margin-left: 310px; }", data })).toEqual([cropped]);
    const aside = "img { object-fit: none !important; object-position: -250px 0 !important; }";
    expect(await warningsOf({ css: aside, data })).toEqual([cropped]);
  });

  test("has no warning where another element shows it whole", async () => {
    const data = { photo: await imageOf(2_000, 200) };
    const html = `${IMAGE}<img class="whole" data-image="photo" src="{{ photo }}" alt="">`;
    expect(await warningsOf({ html, css: ".whole { object-fit: contain !important; }", data })).toEqual([]);
  });
});

test("an image of the variant itself is its design", async () => {
  expect(await warningsOf({ own: await imageOf(8, 8) })).toEqual([]);
});

test("a picture with such an image is refused with strict handling", async () => {
  const data = { photo: await imageOf(10, 1) };
  await expect(warningsOf({ data, isStrict: true })).rejects.toMatchObject({
    code: "invalid_data",
    issues: [{ path: "/data/photo", code: "image_upscaled" }, { code: "image_cropped" }],
  });
});

describe("an image with a zoom", () => {
  test("is reported with the pixels of the part that is shown, once they are too few", async () => {
    const src = await imageOf(200, 100);
    expect(await warningsOf({ data: { photo: { src, zoom: 2 } } })).toEqual([]);
    expect(await warningsOf({ data: { photo: { src, zoom: 4, focus: { x: 0, y: 0 } } } })).toEqual([
      "/data/photo image_upscaled: Blown up 4 times: got 50 × 25 px, want at least 100 × 50 px.",
    ]);
  });

  test("is not reported as cut by it, but by the shape of its element", async () => {
    const zoomed = { src: await imageOf(1_000, 500), zoom: 2.5 };
    expect(await warningsOf({ data: { photo: zoomed } })).toEqual([]);
    expect(await warningsOf({ data: { photo: { src: await imageOf(2_000, 200), zoom: 1.1 } } })).toEqual([cropped]);
  });
});
