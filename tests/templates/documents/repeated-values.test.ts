import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { shutDown } from "#lib/render/render.ts";
import { composeColors } from "#lib/templates/compose-colors.ts";
import { REPEATED_CHARS } from "#lib/templates/images/repeated-values.ts";
import { fillLiquid, parseLiquid, repeatedValue } from "#lib/templates/liquid.ts";
import { composeOver } from "#lib/type/contrast/colors.ts";
import { dataUrl } from "#tests/images/files.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { compileCard } from "../card.ts";
import { manifestWith } from "../template-folder.ts";

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
  expect(repeatedValue(thrown)).toBe(value);
});

test("what a template itself writes in loops is limited too", () => {
  const source = `{% for i in (1..100) %}${"x".repeat(REPEATED_CHARS / 99)}{% endfor %}`;
  expect(() => fill(source, {})).toThrow(`more than ${REPEATED_CHARS} characters`);
});

test("a large image in each item of a list is refused where it is given, and a small one is drawn", async () => {
  const template = await compileCard({
    "template.json": manifestWith({
      photo: { type: "image", label: "Photo" },
      rows: { type: "list", label: "Rows", max: 50, item: { name: { type: "text", label: "Name" } } },
    }),
    "content.json": JSON.stringify({ plain: {} }),
    "template.html":
      '{% for row in rows %}{% if photo %}<img src="{{ photo }}" data-image="photo" alt="">{% endif %}{{ row.name }}{% endfor %}',
    "style.css": "img { width: 4px; height: 4px; }\n",
  });
  const rows = Array.from({ length: 50 }, (_, index) => ({ name: `row ${index}` }));
  const draw = async (side: number) =>
    await drawTemplate({ template, variant: "plain", data: { photo: await noise(side), rows } }, { timings: {} });
  await expect(draw(20)).resolves.toMatchObject({ png: expect.any(Buffer) });
  const issues = [expect.objectContaining({ path: "/data/photo", code: "image_rejected" })];
  await expect(draw(600)).rejects.toMatchObject({ code: "image_rejected", issues });
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
