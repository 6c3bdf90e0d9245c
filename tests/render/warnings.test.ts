import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { PROJECT_DIR } from "#lib/config.ts";
import { rendering, shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { manifestWith, templatesRoot, writeTemplate } from "../templates/template-folder.ts";
import { prepareMachine } from "./rig.ts";

beforeAll(prepareMachine);
beforeEach(() => {
  rendering.get().pictures.clear();
});
afterAll(shutDown);

const text = (rest: object = {}) => ({ type: "text", label: "Text", maxLength: 400, ...rest });
const FIT = { mode: "shrink", minSize: 20, maxLines: 2 };

const CARD = {
  "template.json": manifestWith({
    title: text({ required: true, fit: FIT }),
    author: text({ fit: { mode: "clamp", maxLines: 1 } }),
    role: text(),
    day: { type: "date", label: "Day" },
    photo: { type: "image", label: "Photo" },
    isLoud: { type: "boolean", label: "Loud", default: false },
  }),
  "content.json": JSON.stringify({
    plain: { title: "Hello" },
    tight: { title: "A title of its own that is long ".repeat(2) },
  }),
  "template.html": `<main class="{% if isLoud %}loud{% endif %}"><h1 data-fit="title">{{ title }}</h1>
{% if author %}<p data-fit="author">{{ author }}</p>{% if role %}<p>{{ role }}</p>{% endif %}
{% if day %}<p>{{ day | date: "%Y" }}</p>{% endif %}{% endif %}
{% if photo %}<img data-image="photo" src="{{ photo }}">{% endif %}</main>`,
  "style.css": `h1 { width: 360px; font: 400 60px/1.1 "Noto Sans", sans-serif; } p { width: 360px; font: 400 20px/1.2 "Noto Sans", sans-serif; }
img { width: 2px; height: 2px; } .loud img { display: none; }`,
};

const PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=";

function serveCard(files: Record<string, string> = {}): void {
  const root = templatesRoot();
  writeTemplate(root, "card", { ...CARD, ...files });
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
}

async function warningsOf(data: Record<string, unknown>, variant = "plain") {
  const { warnings } = await renderTemplate({ template: "card", variant, data });
  return warnings;
}

describe("a picture that shows its request unchanged", () => {
  test("has none when fields are edited, emptied or sent unchanged", async () => {
    serveCard();
    const data = { title: "Hi", author: "Ada", role: "Countess", day: "1852-11-27", photo: PIXEL, isLoud: false };
    expect(await warningsOf(data)).toEqual([]);
    expect(await warningsOf({ author: "", role: null, photo: null })).toEqual([]);
  });
});

describe("a text", () => {
  test("that was made smaller is reported with both sizes", async () => {
    serveCard();
    const [warning, ...others] = await warningsOf({ title: "A title of a good many words in one" });
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ path: "/data/title", code: "text_shrunk" });
    const [, to, from] = /smaller to fit: ([\d.]+) px, designed for ([\d.]+) px/.exec(warning?.message ?? "") ?? [];
    expect(Number(to)).toBeLessThan(60);
    expect(Number(to)).toBeGreaterThanOrEqual(20);
    expect(from).toBe("60");
  });

  test("that was cut is reported with how much of it is left", async () => {
    serveCard();
    const [title, author] = await warningsOf({ title: "word ".repeat(18), author: "name ".repeat(8) });
    expect(title).toMatchObject({ path: "/data/title", code: "text_cut" });
    const [, shown, of] = /Cut to fit: (\d+) of (\d+) characters are shown, at 20 px/.exec(title?.message ?? "") ?? [];
    expect(of).toBe("89");
    expect(Number(shown)).toBeGreaterThan(44);
    expect(Number(shown)).toBeLessThan(89);
    expect(author).toMatchObject({ path: "/data/author", code: "text_cut" });
  });

  test("of which less than half would be shown is refused, with every other such text", async () => {
    serveCard();
    const refused = warningsOf({ title: "word ".repeat(70), author: "name ".repeat(20) });
    await expect(refused).rejects.toMatchObject({
      code: "invalid_data",
      issues: [
        {
          path: "/data/title",
          code: "text_too_long",
          message: expect.stringMatching(
            /^Shows (\d+) of 349 characters at the smallest size, 20 px; send at most about \1\.$/,
          ),
        },
        { path: "/data/author", code: "text_too_long" },
      ],
    });
  });

  test("of the request is refused when its longest word cannot even be broken into its room", async () => {
    serveCard({ "style.css": `${CARD["style.css"]} p { width: 4px; }` });
    await expect(warningsOf({ author: "Ada" })).rejects.toMatchObject({
      issues: [{ path: "/data/author", code: "text_too_long", message: expect.stringContaining("Shows 0 of 3") }],
    });
  });

  test("is refused too when an edit that empties others leaves it no room", async () => {
    serveCard({
      "content.json": JSON.stringify({ plain: { title: "Hello there", author: "Ada" } }),
      "style.css": `${CARD["style.css"]} h1:last-child { width: 4px; }`,
    });
    expect(await warningsOf({})).toEqual([]);
    await expect(warningsOf({ author: null })).rejects.toMatchObject({
      issues: [{ path: "/data/title", code: "text_too_long" }],
    });
  });

  test("of the variant's own content is reported only when it is cut", async () => {
    serveCard();
    expect(await warningsOf({}, "tight")).toEqual([]);
    const cut = { plain: { title: "Hello", author: "an author without end ".repeat(9) } };
    serveCard({ "content.json": JSON.stringify(cut) });
    expect(await warningsOf({})).toMatchObject([{ path: "/data/author", code: "text_cut" }]);
  });

  test("with characters that no font has is reported with those characters", async () => {
    serveCard();
    const [warning, ...others] = await warningsOf({ title: "Old 𐎀𐎁𐎀" });
    expect(others).toEqual([]);
    const message = 'No font has "𐎀" (U+10380), "𐎁" (U+10381).';
    expect(warning).toEqual({ path: "/data/title", code: "glyph_missing", message });
    const many = Array.from({ length: 12 }, (_, index) => String.fromCodePoint(0x10380 + index)).join("");
    expect((await warningsOf({ title: many }))[0]?.message).toMatch(/\(U\+10387\) and 4 more\.$/);
  });
});

describe("content that is not shown", () => {
  test("is reported when it depends on a field that is missing", async () => {
    serveCard();
    // The words appear in the style sheet, and so in the document, but are not shown.
    expect(await warningsOf({ role: "Noto Sans" })).toMatchObject([{ path: "/data/role", code: "field_ignored" }]);
    const warnings = await warningsOf({ role: "Countess", day: "1852-11-27" });
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ["/data/role", "field_ignored"],
      ["/data/day", "field_ignored"],
    ]);
  });

  test("is reported when the style sheet hides it", async () => {
    serveCard();
    expect(await warningsOf({ photo: PIXEL, isLoud: true })).toMatchObject([
      { path: "/data/photo", code: "field_ignored" },
    ]);
  });

  test("is reported for a shipped template: words to highlight that the quote does not contain", async () => {
    vi.unstubAllEnvs();
    const { warnings } = await renderTemplate({
      template: "social/quote",
      data: { quote: "Less is more.", highlight: "nowhere" },
    });
    expect(warnings).toMatchObject([{ path: "/data/highlight", code: "field_ignored" }]);
  });
});

describe("the warnings of a picture", () => {
  const data = { role: "Countess", title: "A title of a good many words in one 𐎀" };

  test("are the same whether it is rendered, shared or kept, in the order of the fields", async () => {
    serveCard();
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "64");
    const request = { template: "card", data };
    const both = await Promise.all([renderTemplate(request), renderTemplate(request)]);
    const all = [...both, await renderTemplate(request)];
    expect(all.map(({ source }) => source)).toEqual(["drawn", "shared", "cache"]);
    for (const { warnings } of all) expect(warnings).toEqual(all[0]?.warnings);
    expect(all[0]?.warnings.map(({ path, code }) => `${code} ${path}`)).toEqual([
      "glyph_missing /data/title",
      "text_shrunk /data/title",
      "field_ignored /data/role",
    ]);
  });

  test("refuse it with strict handling, rendered or kept, and only then", async () => {
    serveCard();
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "64");
    const request = { template: "card", data };
    const { warnings } = await renderTemplate(request);
    await expect(renderTemplate(request, { isStrict: true })).rejects.toMatchObject({
      code: "invalid_data",
      issues: warnings,
    });
    vi.stubEnv("SERVICE_RENDER_CACHE_MB", "0");
    await expect(renderTemplate(request, { isStrict: true })).rejects.toMatchObject({
      code: "invalid_data",
      issues: warnings,
    });
    expect((await renderTemplate({ template: "card" }, { isStrict: true })).warnings).toEqual([]);
  });
});

describe("a font of a template", () => {
  const style = (file: string) =>
    `@font-face { font-family: "Own"; src: url(assets/${file}); } h1 { font: 40px "Own", sans-serif; }`;

  test("is parsed, and refused when it is no font", async () => {
    const root = templatesRoot();
    writeTemplate(root, "card", { "style.css": style("own.ttf"), "assets/own.ttf": "no font" });
    const { faults } = await compileRegistry(root);
    expect(faults).toMatchObject([{ file: "assets/own.ttf", reason: expect.stringContaining("cannot be read") }]);
  });

  test("has glyphs that no warning reports as missing", async () => {
    const root = templatesRoot();
    writeTemplate(root, "card", { "style.css": style("own.ttf") });
    mkdirSync(join(root, "card/assets"));
    const source = "node_modules/@expo-google-fonts/anton/400Regular/Anton_400Regular.ttf";
    cpSync(join(PROJECT_DIR, source), join(root, "card/assets/own.ttf"));
    const { templates, faults } = await compileRegistry(root);
    expect(faults).toEqual([]);
    expect(templates[0]?.glyphs?.length).toBeGreaterThan(10);
  });
});
