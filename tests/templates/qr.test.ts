import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { compileRegistry, SHIPPED_TEMPLATES_DIR } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import type { Measurements } from "#lib/templates/fit-text.ts";
import { layoutWarnings } from "#lib/templates/warnings.ts";
import { readCodes } from "./read-codes.ts";
import { manifestWith, templatesRoot, writeTemplate } from "./template-folder.ts";

afterAll(() => shutDown());

const LINK = "https://tickets.example/THB-4417-0962";

type Trial = { entry: string; field?: object; css?: string };

/** Draws a card with one code, and tells what was measured and warned of. */
async function drawCode({ entry, field = {}, css = "img { width: 280px; height: 280px; }" }: Trial) {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({ entry: { type: "qr", label: "Entry", ...field } }, { width: 800, height: 800 }),
    "content.json": JSON.stringify({ plain: {} }),
    "template.html": '{% if entry %}<img data-qr="entry" src="{{ entry }}" alt="">{% endif %}',
    "style.css": css,
  });
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  const [template] = templates;
  if (!template) throw new Error("The template did not compile.");
  const { values, issues } = await readFields({ declarations: template.fields, values: { entry }, path: "/data" });
  expect(issues).toEqual([]);
  const picture = await renderPicture(composeDocument(template, values));
  const measured = picture.measured as Measurements;
  return { png: picture.png, measured, warnings: layoutWarnings({ template, base: {}, values, measured }) };
}

/** How long the runs of one colour are in the middle row of a picture, in pixels. */
async function runsOf(png: Buffer, row: number): Promise<number[]> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const pixels = Array.from(data.subarray(row * info.width, (row + 1) * info.width));
  const edges = pixels.flatMap((pixel, x) => (x > 0 && pixel !== pixels[x - 1] ? [x] : []));
  return edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0));
}

describe("a code in a picture", () => {
  test.each([
    LINK,
    "0123456789",
    "مرحبا 🌍 \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} naïve 東京",
    "BEGIN:VCARD\nVERSION:4.0\nFN:Ada Lovelace\nEND:VCARD",
    `<script>"'&{{ entry }}</script>`,
    " kept as it is sent ",
  ])("is read by a scanner as it was sent: %j", async (entry) => {
    const { png, warnings } = await drawCode({ entry });
    expect(await readCodes(png)).toEqual([entry]);
    expect(warnings).toEqual([]);
  });

  test.each(["low", "medium", "quartile", "high"])(
    "is read at error correction %s, as long as may be",
    async (level) => {
      const entry = "🎟".repeat(300);
      const css = "img { width: 800px; height: 800px; }";
      const { png } = await drawCode({ entry, field: { errorCorrection: level }, css });
      expect(await readCodes(png)).toEqual([entry]);
    },
  );

  test("has modules of whole pixels, wherever it stands and however large it is", async () => {
    // 37 modules with the margin: 7.3 pixels each.
    const css = "img { position: absolute; left: 10.4px; top: 0; width: 271px; height: 283px; }";
    const { png } = await drawCode({ entry: LINK, css });
    const runs = await runsOf(png, 141);
    expect(runs.length).toBeGreaterThan(8);
    expect(runs.filter((run) => run % 7 !== 0)).toEqual([]);
    expect(await readCodes(png)).toEqual([LINK]);
  });

  test("that is too fine to be read by many is told, with what it has and wants", async () => {
    const css = "img { width: 100px; height: 100px; }";
    const { warnings } = await drawCode({ entry: LINK, css });
    expect(warnings).toEqual([
      { path: "/data/entry", code: "qr_too_fine", message: expect.stringMatching(/2\.7 px, want 3\./) },
    ]);
  });

  test("that has no room is told as any other field is", async () => {
    const { warnings } = await drawCode({ entry: LINK, css: "img { display: none; }" });
    expect(warnings).toMatchObject([{ path: "/data/entry", code: "field_ignored" }]);
  });
});

test("the codes of the tickets that ship are read, and turn with a torn stub", async () => {
  const { templates } = await compileRegistry(SHIPPED_TEMPLATES_DIR);
  const ticket = templates.find(({ slug }) => slug === "event/ticket");
  if (!ticket) throw new Error("There is no ticket.");
  const shown = Object.values(ticket.variants).filter(({ values }) => values.entry !== null);
  expect(shown.length).toBeGreaterThan(1);
  for (const { values, content } of shown) {
    for (const torn of [false, true]) {
      const { png } = await renderPicture(composeDocument(ticket, { ...values, torn }));
      expect(await readCodes(png)).toEqual([content.entry]);
    }
  }
});
