import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { Liquid } from "liquidjs";
import sharp from "sharp";
import { expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "#lib/errors.ts";
import { inDecoder } from "#lib/images/decoder/decoders.ts";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { captureLog } from "#tests/captured-log.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "./template-folder.ts";

vi.mock("#lib/images/decoder/decoders.ts", { spy: true });

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';

test("a valid folder has no fault, and its slug is its path", async () => {
  const root = templatesRoot();
  writeTemplate(root, "social/card");
  writeTemplate(root, "plain");
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  expect(templates.map((template) => template.slug)).toEqual(["plain", "social/card"]);
});

test("the hash changes with anything that can change a pixel, and with nothing else", async () => {
  const hashOf = async (files: Record<string, string>) => {
    const root = templatesRoot();
    writeTemplate(root, "card", files);
    return (await compileRegistry(root)).templates[0]?.hash;
  };
  const hash = await hashOf({});
  expect(await hashOf({})).toBe(hash);
  const renamed = manifestWith({ title: { ...TITLE, label: "Headline" } }, { title: "Renamed", tags: ["new"] });
  expect(await hashOf({ "template.json": renamed })).toBe(hash);
  expect(await hashOf({ "template.json": manifestWith({ title: TITLE }, { width: 401 }) })).not.toBe(hash);
  expect(await hashOf({ "style.css": "h1 { font: 700 41px serif; }\n" })).not.toBe(hash);
  expect(await hashOf({ "content.json": '{ "plain": { "title": "Hullo" } }' })).not.toBe(hash);
  const pictures = { sun: "assets/sun.svg", rain: "assets/rain.svg" };
  const sky = { type: "select", label: "Sky", options: ["sun", "rain"], default: "sun", pictures };
  const withPicture = (svg: string) =>
    hashOf({
      "template.json": manifestWith({ title: TITLE, sky }),
      "template.html": '<h1>{{ title }}</h1><img src="{{ sky.picture }}" alt="">',
      "assets/sun.svg": svg,
      "assets/rain.svg": SVG,
    });
  expect(await withPicture(SVG)).not.toBe(await withPicture(SVG.replace("4", "5")));
});

test("an asset is inlined in markup, styles and variants", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({ title: TITLE, photo: { type: "image", label: "Photo" } }),
    "content.json": JSON.stringify({ plain: { title: "x", photo: "assets/photo.svg" } }),
    "template.html":
      '<h1>{{ title }}</h1><img src="assets/logo.svg" alt="">{% if photo %}<img src="{{ photo }}" alt="">{% endif %}',
    "style.css": "h1 { background: url(assets/logo.svg) }",
    "assets/logo.svg": SVG,
    "assets/photo.svg": SVG,
  });
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  const [template] = templates;
  const logo = `data:image/svg+xml;base64,${Buffer.from(SVG).toString("base64")}`;
  expect(template?.html).toContain(`src="${logo}"`);
  expect(template?.css).toContain(logo);
  expect(template?.variants.plain?.values.photo).toMatch(/^data:image\/svg/);
  expect(template?.variants.plain?.content.photo).toBe("assets/photo.svg");
});

test("a generic family is expanded to a list with a family for every script", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "style.css": 'h1 { font-family: "Fraunces", serif; --font-x: sans-serif }' });
  const css = (await compileRegistry(root)).templates[0]?.css;
  expect(css).toMatch(/"Fraunces", "Noto Serif",.*"Noto Sans Arabic".*"Noto Sans JP".*"Noto Color Emoji"/);
  expect(css).toMatch(/--font-x: "Noto Sans",/);
});

test.each(["url(data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=)", "url(#clip)"])(
  "a style sheet may use %s",
  async (value) => {
    const root = templatesRoot();
    writeTemplate(root, "card", { "style.css": `h1 { mask: ${value} }` });
    expect((await compileRegistry(root)).faults).toEqual([]);
  },
);

test("modern CSS stays unchanged", async () => {
  const root = templatesRoot();
  const css =
    "h1 { .a { width: if(style(--x: 1): 1px; else: 2px) } &:dir(rtl) { color: oklch(from var(--accent) l c h / 50%) } }";
  writeTemplate(root, "card", { "style.css": css });
  expect((await compileRegistry(root)).templates[0]?.css).toBe(css);
});

test("a linked asset outside the template's folder is refused", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "assets/own.svg": SVG });
  writeTemplate(root, "other", { "assets/secret.svg": SVG });
  symlinkSync(join(root, "other/assets/secret.svg"), join(root, "card/assets/stolen.svg"));
  symlinkSync(join(root, "card/assets/own.svg"), join(root, "card/assets/again.svg"));
  const { faults } = await compileRegistry(root);
  expect(faults.map(describeFault)).toEqual([
    "card/assets/stolen.svg:1 Got a link that leads out of the template's folder. Copy the file.",
  ]);
});

test.each(["template.json", "content.json", "template.html", "style.css", "brand.json"])(
  "a %s that is a link out of the templates folder is refused unread, because a picture would show the file",
  async (name) => {
    const root = templatesRoot();
    writeTemplate(root, "card", { "template.html": "<h1>{{ title }}</h1>{{ brand.colors.ink }}" });
    const path = join(root, name === "brand.json" ? "" : "card", name);
    rmSync(path, { force: true });
    symlinkSync("/proc/self/environ", path);
    const { faults } = await compileRegistry(root);
    const file = name === "brand.json" ? "brand.json:1 (in card)" : `card/${name}:1`;
    expect(faults.map(describeFault)).toEqual([`${file} Got a link that leads out of the folder, want a file.`]);
  },
);

test("an asset of more than 8 MB is refused before it is decoded", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "assets/large.png": "" });
  truncateSync(join(root, "card/assets/large.png"), 8_000_001);
  const { faults } = await compileRegistry(root);
  expect(faults.map(describeFault)).toEqual(["card/assets/large.png:1 Got 8000001 bytes, want at most 8000000."]);
});

test("a file that cannot be read does not affect other templates", async () => {
  const root = templatesRoot();
  writeTemplate(root, "good");
  writeTemplate(root, "bad");
  rmSync(join(root, "bad/style.css"));
  mkdirSync(join(root, "bad/style.css"));
  const { templates, faults } = await compileRegistry(root);
  expect(templates.map(({ slug }) => slug)).toEqual(["good"]);
  expect(faults.map(describeFault)).toEqual(["bad/style.css:1 Got a folder or a device, want a file."]);
});

test("a template on a mounted volume, whose files are links into a hidden folder, is read once", async () => {
  const root = templatesRoot();
  writeTemplate(root, "..2026_11_20/card", { "assets/logo.svg": SVG });
  mkdirSync(join(root, "card"));
  for (const name of ["template.json", "content.json", "template.html", "style.css"]) {
    symlinkSync(join(root, "..2026_11_20/card", name), join(root, "card", name));
  }
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  expect(templates.map(({ slug }) => slug)).toEqual(["card"]);
});

test("links to folders, which can form loops, are not followed", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card");
  symlinkSync(".", join(root, "loop"));
  symlinkSync(".", join(root, "card/again"));
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  expect(templates.map(({ slug }) => slug)).toEqual(["card"]);
});

test("a picture of 1.5 MB in the markup is no fault", async () => {
  const root = templatesRoot();
  const raw = { width: 700, height: 700, channels: 3 as const };
  writeTemplate(root, "card", {
    "template.html": '<h1>{{ title }}</h1><img src="assets/photo.png" alt="">\n',
    "assets/photo.png": await sharp(randomBytes(700 * 700 * 3), { raw })
      .png()
      .toBuffer(),
  });
  const { templates, faults } = await compileRegistry(root);
  expect(faults.map(describeFault)).toEqual([]);
  expect(templates[0]?.html.length).toBeGreaterThan(1_900_000);
});

test("an unexpected error in the check of one template does not affect the others, and is looked for again by the next check", async () => {
  const root = templatesRoot();
  writeTemplate(root, "good");
  writeTemplate(root, "odd", { "template.html": "<h1>odd {{ title }}</h1>\n" });
  const { parse } = Liquid.prototype;
  const lines = captureLog();
  const broken = vi.spyOn(Liquid.prototype, "parse").mockImplementation(function (this: Liquid, source, path) {
    if (source.includes("odd")) throw new Error("a fault of the library");
    return parse.call(this, source, path);
  });
  onTestFinished(() => broken.mockRestore());
  const { templates, faults } = await compileRegistry(root);
  expect(templates.map(({ slug }) => slug)).toEqual(["good"]);
  expect(faults.map(describeFault)).toEqual([
    "odd/template.html:1 The check failed. The log of this process says why.",
  ]);
  expect(lines.join("")).toMatch(/a fault of the library/);
  broken.mockRestore();
  expect((await compileRegistry(root)).faults).toEqual([]);
});

test("that no image can be decoded now is no fault of a template, and is not kept", async () => {
  const root = templatesRoot();
  writeTemplate(root, "pictured", {
    "assets/logo.svg": SVG,
    "style.css": 'h1 { background: url("assets/logo.svg"); }\n',
  });
  vi.mocked(inDecoder).mockRejectedValueOnce(new AppError("unavailable", "No image can be decoded now."));
  await expect(compileRegistry(root)).rejects.toMatchObject({ code: "unavailable" });
  expect((await compileRegistry(root)).templates.map(({ slug }) => slug)).toEqual(["pictured"]);
});
