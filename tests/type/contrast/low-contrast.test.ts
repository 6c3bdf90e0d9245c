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

const FIELDS = {
  title: { type: "text", label: "Title", required: true, fit: { mode: "shrink", maxLines: 2 } },
  note: { type: "text", label: "Note" },
  photo: { type: "image", label: "Photo" },
};

const MARKUP = `<main>{% if photo %}<img data-image="photo" src="{{ photo }}" alt="">{% endif %}
<h1 data-fit="title">{{ title }}</h1>{% if note %}<p>{{ note }}</p>{% endif %}</main>`;

const BASE = `h1 { width: 360px; font: 400 40px/1.2 "Noto Sans"; } p { font: 400 16px/1.2 "Noto Sans"; }
img { position: absolute; inset: 0; width: 400px; height: 200px; } h1, p { position: relative; }`;

type Card = { css?: string; html?: string; data?: Record<string, unknown>; isStrict?: boolean };

/** Renders a card of 400 × 200 with this style sheet, and returns the contrast warnings. */
async function contrastOf({ css = "", html = MARKUP, data = {}, isStrict = false }: Card) {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith(FIELDS),
    "template.html": html,
    "style.css": `${BASE} ${css}`,
    "content.json": JSON.stringify({ plain: { title: "Hello reader" } }),
  });
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  rendering.get().pictures.clear();
  const { warnings } = await renderTemplate({ template: "card", data }, { isStrict });
  return warnings.filter(({ code }) => code === "low_contrast");
}

async function photo(left: string, right: string): Promise<string> {
  const half = { create: { width: 200, height: 200, channels: 3 as const, background: right } };
  const png = await sharp({ create: { width: 400, height: 200, channels: 3, background: left } })
    .composite([{ input: await sharp(half).png().toBuffer(), left: 200, top: 0 }])
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}

describe("a text on a flat ground", () => {
  test("is reported with its ratio and the wanted one", async () => {
    expect(await contrastOf({ css: "main { background: #fff; } h1 { color: #ccc; }" })).toEqual([
      { path: "/data/title", code: "low_contrast", message: "Hard to read: 1.6:1 behind the text; want 3:1." },
    ]);
  });

  test.each([
    ["20px", 400, 1],
    ["20px", 700, 0],
    ["24px", 400, 0],
  ])("of %s at weight %i has %i warnings at 4:1", async (size, weight, count) => {
    expect(
      await contrastOf({ css: `h1 { color: #7f7f7f; font-size: ${size}; font-weight: ${weight}; }` }),
    ).toHaveLength(count);
  });

  test("is judged with the transparency of ink, ground and element", async () => {
    const faint = [
      "h1 { color: rgb(0 0 0 / 0.2); }",
      "h1 { opacity: 0.2; }",
      "main { background: rgb(0 0 0 / 0.3); } h1 { background: rgb(255 255 255 / 0.2); color: #999; }",
    ];
    for (const css of faint) expect(await contrastOf({ css }), css).toHaveLength(1);
    expect(await contrastOf({ css: "main { background: rgb(0 0 0 / 0.1); } h1 { opacity: 0.8; }" })).toEqual([]);
  });

  test("refuses the picture with strict handling", async () => {
    await expect(contrastOf({ css: "h1 { color: #ccc; }", isStrict: true })).rejects.toMatchObject({
      code: "invalid_data",
      issues: [{ path: "/data/title", code: "low_contrast" }],
    });
  });
});

describe("a text over an image", () => {
  test("is reported with the part of it that is hard to read", async () => {
    const data = { title: "Half of this reads", photo: await photo("#000", "#fff") };
    const [warning, ...others] = await contrastOf({ css: "h1 { color: #fff; text-align: center; }", data });
    expect(others).toEqual([]);
    const [, ratio, share] =
      /^Hard to read: ([\d.]+):1 behind (\d+) % of the text; want 3:1\.$/.exec(warning?.message ?? "") ?? [];
    expect(ratio).toBe("1.0");
    expect(Number(share)).toBeGreaterThan(35);
    expect(Number(share)).toBeLessThan(75);
  });

  test("has no warning where the image leaves it readable, or lies under an opaque plate", async () => {
    const data = { photo: await photo("#000", "#123") };
    expect(await contrastOf({ css: "h1 { color: #fff; }", data })).toEqual([]);
    const white = { photo: await photo("#fff", "#fff") };
    expect(await contrastOf({ css: "h1 { color: #fff; background: #000; }", data: white })).toEqual([]);
  });

  test("is reported when nothing of it is seen", async () => {
    const data = { photo: await photo("#fff", "#fff") };
    const [warning] = await contrastOf({ css: "h1 { color: #fff; }", data });
    expect(warning?.message).toBe("Hard to read: 1.0:1 behind the text; want 3:1.");
  });
});

describe("a text over a gradient or a blend", () => {
  test("has no warning while every stop leaves it readable", async () => {
    expect(await contrastOf({ css: "main { background: linear-gradient(#fff, #ccc); }" })).toEqual([]);
  });

  test("is judged by the part of the gradient that is behind it", async () => {
    const ground = "main { height: 200px; background: linear-gradient(90deg, #fff 50%, #000 50%); }";
    expect(await contrastOf({ css: `${ground} h1 { width: 180px; font-size: 24px; }` })).toEqual([]);
    expect(await contrastOf({ css: `${ground} h1 { text-align: center; }` })).toHaveLength(1);
  });

  test("is judged by the colours that the blend makes", async () => {
    const ground = "main { height: 200px; background: #fff; isolation: isolate; }";
    expect(await contrastOf({ css: `${ground} h1 { mix-blend-mode: difference; color: #fff; }` })).toEqual([]);
    expect(await contrastOf({ css: `${ground} h1 { mix-blend-mode: multiply; color: #eee; }` })).toHaveLength(1);
  });

  test("that fills large letters wants most of their contour, or of an outline, to stand out", async () => {
    const fill = "h1 { font-size: 100px; mix-blend-mode: multiply; }";
    const data = { title: "Hill" };
    const rim = "filter: drop-shadow(2px 2px #321) drop-shadow(-2px -2px #321);";
    expect(await contrastOf({ css: `${fill} h1 { color: #eee; }`, data })).toHaveLength(1);
    expect(await contrastOf({ css: `${fill} h1 { color: #eee; ${rim} }`, data })).toEqual([]);
    expect(await contrastOf({ css: `${fill} h1 { color: #0f9bd0; }`, data })).toEqual([]);
  });

  test("that fills letters wants more than half of large ones to stand out", async () => {
    const fill = (stops: string) =>
      `h1 { font-size: 100px; background: linear-gradient(90deg, ${stops}); background-clip: text; color: transparent; }`;
    const data = { title: "Hill" };
    expect(await contrastOf({ css: fill("#fff 10%, #000 10%"), data })).toEqual([]);
    expect(await contrastOf({ css: fill("#eee, #ddd"), data })).toHaveLength(1);
  });
});

describe("another element", () => {
  const html = (extra: string) => `<main>${extra}${MARKUP.slice("<main>".length)}`;

  test("that lies behind a text counts, drawn as an area, as a pseudo-element or as a shape", async () => {
    const css =
      ".under, .pseudo::before { position: absolute; inset: 0; background: #111; content: ''; } main { height: 200px; }";
    for (const extra of [
      '<div class="under"></div>',
      '<div class="pseudo"></div>',
      '<svg class="shape" style="position: absolute" width="400" height="200"><rect width="400" height="200" fill="#111"/></svg>',
    ])
      expect(await contrastOf({ css, html: html(extra) }), extra).toHaveLength(1);
    const light = `${css} h1 { color: #fff; }`;
    expect(await contrastOf({ css: light, html: html('<div class="under"></div>') })).toEqual([]);
  });
});

describe("which texts are judged", () => {
  test("an output without a fit is, under the name of its field", async () => {
    expect(await contrastOf({ css: "p { color: #bbb; }", data: { note: "small print" } })).toEqual([
      {
        path: "/data/note",
        code: "low_contrast",
        message: expect.stringMatching(/^Hard to read: 1\.9:1 behind the text; want 4\.5:1\.$/),
      },
    ]);
  });

  test("the template's own words, decoration, tiny letters and emoji are not", async () => {
    const words = '<p style="color: #eee">Printed in Porto</p>';
    const decoration = '<p style="color: #eee" aria-hidden="true">{{ title }}</p>';
    const tiny = '<p style="color: #eee; font-size: 6px">{{ title }}</p>';
    const html = MARKUP.replace("</main>", `${words}${decoration}${tiny}</main>`);
    expect(await contrastOf({ html })).toEqual([]);
    expect(await contrastOf({ css: "p { color: #fff; }", data: { note: "🌍 👩‍🚀" } })).toEqual([]);
  });
});
