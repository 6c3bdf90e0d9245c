import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeColors } from "#lib/templates/compose-colors.ts";
import { documentTooLong, fillLiquid, parseLiquid } from "#lib/templates/liquid.ts";
import { REPEATED_CHARS } from "#lib/templates/lists/repeated-values.ts";
import { composeOver } from "#lib/type/contrast/colors.ts";
import { dataUrl } from "#tests/images/files.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";
import { manifestWith, templatesRoot, writeTemplate } from "../template-folder.ts";

vi.mock("#lib/type/contrast/colors.ts", { spy: true });

beforeAll(prepareMachine);
afterAll(() => shutDown());

async function noise(side: number): Promise<string> {
  const raw = { width: side, height: side, channels: 3 as const };
  return dataUrl(
    "png",
    await sharp(randomBytes(side * side * 3), { raw })
      .png()
      .toBuffer(),
  );
}

const fill = (source: string, values: Record<string, unknown>) => fillLiquid(parseLiquid(source), values).html.length;

test("a value may be shown as often as the limit allows, and no more often", () => {
  const value = "x".repeat(REPEATED_CHARS / 10);
  const shown = (times: number) => fill(`{% for i in (1..${times}) %}{{ value }}{% endfor %}`, { value });
  expect(shown(11)).toBe(11 * value.length);
  let thrown: unknown;
  try {
    shown(12);
  } catch (error) {
    thrown = error;
  }
  expect(documentTooLong(thrown)?.value).toBe(value);
});

test("what a template itself writes in loops is limited too", () => {
  const source = `{% for i in (1..100) %}${"x".repeat(REPEATED_CHARS / 99)}{% endfor %}`;
  expect(() => fill(source, {})).toThrow("again and again");
});

const ROWS = { type: "list", label: "Rows", max: 100, item: { name: { type: "text", label: "Name" } } };
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `row ${index}` }));

/** The side of a logo that is just too large for a hundred rows. Each template with it is checked with many long documents. */
const LOGO_SIDE = 280;

/** A template that shows something in each row. */
const shownInRows = (fields: object, shown: string, variant: object = {}) => ({
  "template.json": manifestWith({ ...fields, rows: ROWS }),
  "content.json": JSON.stringify({ plain: variant }),
  "template.html": `{% for row in rows %}${shown}{{ row.name }}{% endfor %}`,
  "style.css": "img { width: 4px; height: 4px; }\n",
});

const PHOTO = { photo: { type: "image", label: "Photo" } };
const PHOTO_SHOWN = '{% if photo %}<img src="{{ photo }}" data-image="photo" alt="">{% endif %}';

test("a large image in each item of a list is refused where it is given, and a small one is drawn", async () => {
  const template = await compileCard(shownInRows(PHOTO, PHOTO_SHOWN));
  const draw = async (side: number) =>
    await drawTemplate(
      { template, variant: "plain", data: { photo: await noise(side), rows: rows(50) } },
      { timings: {} },
    );
  await expect(draw(20)).resolves.toMatchObject({ png: expect.any(Buffer) });
  const issues = [expect.objectContaining({ path: "/data/photo", code: "image_rejected" })];
  await expect(draw(600)).rejects.toMatchObject({ code: "image_rejected", issues });
});

test.each([
  ["of a variant", shownInRows(PHOTO, PHOTO_SHOWN, { photo: "assets/logo.png" })],
  [
    "that the markup names",
    shownInRows({ price: { type: "money", label: "Price" } }, '{{ price }}<img src="assets/logo.png" alt="">'),
    { price: { amount: 1, currency: "EUR" } },
  ],
])("for a large image %s, the items are refused that show it", async (_, files, sent: object = {}) => {
  const [, logo = ""] = (await noise(LOGO_SIDE)).split(",");
  const template = await compileCard({ ...files, "assets/logo.png": Buffer.from(logo, "base64") });
  const draw = (count: number) =>
    drawTemplate({ template, variant: "plain", data: { ...sent, rows: rows(count) } }, { timings: {} });
  await expect(draw(2)).resolves.toMatchObject({ png: expect.any(Buffer) });
  const issues = [expect.objectContaining({ path: "/data/rows", code: "too_many" })];
  await expect(draw(100)).rejects.toMatchObject({ code: "invalid_data", issues });
});

test("a picture is drawn where only the comparison with another document would be too long", async () => {
  const [, logo = ""] = (await noise(LOGO_SIDE)).split(",");
  const template = await compileCard({
    ...shownInRows({ title: { type: "text", label: "Title" } }, ""),
    "template.html":
      '{% if title %}{{ title | upcase }}{% else %}{% for row in rows %}{{ row.name }}<img src="assets/logo.png" alt="">{% endfor %}{% endif %}',
    "assets/logo.png": Buffer.from(logo, "base64"),
  });
  const data = { title: "Shown", rows: rows(100) };
  await expect(drawTemplate({ template, variant: "plain", data }, { timings: {} })).resolves.toMatchObject({
    png: expect.any(Buffer),
  });
});

test("a template that writes too much is faulty, and the others are served", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card");
  const files = shownInRows({}, '<img src="assets/logo.png" alt="">', { rows: rows(100) });
  const [, logo = ""] = (await noise(LOGO_SIDE)).split(",");
  writeTemplate(root, "repeated", { ...files, "assets/logo.png": Buffer.from(logo, "base64") });
  const { templates, faults } = await compileRegistry(root);
  expect(templates.map(({ slug }) => slug)).toEqual(["card"]);
  expect(Object.fromEntries(faults.map(({ slug, reason }) => [slug, reason]))).toEqual({
    repeated: expect.stringContaining("want at most 30,000,000 characters"),
  });
});

test("a colour that others lie over is composed once", () => {
  const names = Array.from({ length: 50 }, (_, index) => `c${index}`);
  const fields = Object.fromEntries(
    names.map((name, index) => [
      name,
      { type: "color" as const, label: "Colour", required: false, over: index === 0 ? "#fff" : `c${index - 1}` },
    ]),
  );
  vi.mocked(composeOver).mockClear();
  composeColors(fields, Object.fromEntries(names.map((name) => [name, "#11223380"])));
  expect(composeOver).toHaveBeenCalledTimes(names.length);
});
