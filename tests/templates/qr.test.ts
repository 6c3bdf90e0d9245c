import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { compileRegistry, SHIPPED_TEMPLATES_DIR } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { drawCard } from "./card.ts";
import { readCodes, scan } from "./read-codes.ts";
import { manifestWith } from "./template-folder.ts";

afterAll(() => shutDown());

const LINK = "https://tickets.example/THB-4417-0962";

const IMG = '<img data-qr="entry" src="{{ entry }}" alt="">';

type Trial = { entry: string; field?: object; html?: string; css?: string };

/** Renders a card with one QR code, and returns its measurements and warnings. */
const drawCode = ({ entry, field = {}, html = IMG, css = "img { width: 280px; height: 280px; }" }: Trial) =>
  drawCard(
    {
      "template.json": manifestWith({ entry: { type: "qr", label: "Entry", ...field } }, { width: 800, height: 800 }),
      "template.html": `{% if entry %}${html}{% endif %}`,
      "style.css": css,
    },
    { entry },
  );

/**
 * The lengths of the runs of one colour in every row and column of a picture, in pixels, without those at its edges.
 */
async function runsOf(png: Buffer): Promise<Set<number>> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const runs = new Set<number>();
  const walk = (start: number, step: number, length: number) => {
    let last: number | undefined;
    for (let i = 1; i < length; i++) {
      if (data[start + i * step] === data[start + (i - 1) * step]) continue;
      if (last !== undefined) runs.add(i - last);
      last = i;
    }
  };
  for (let y = 0; y < info.height; y++) walk(y * info.width, 1, info.width);
  for (let x = 0; x < info.width; x++) walk(x, info.width, info.height);
  return runs;
}

describe("a QR code in a picture", () => {
  test.each([
    LINK,
    "0123456789",
    "مرحبا 🌍 \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} naïve 東京",
    "BEGIN:VCARD\nVERSION:4.0\nFN:Ada Lovelace\nEND:VCARD",
    `<script>"'&{{ entry }}</script>`,
    "scanned by a till\u001d17261231",
  ])("is read by a scanner exactly as sent: %j", async (entry) => {
    const { png, warnings } = await drawCode({ entry });
    expect(await readCodes(png)).toEqual([entry]);
    expect(warnings).toEqual([]);
  });

  test("is read without leading and trailing white space, like a text field", async () => {
    const { png } = await drawCode({ entry: ` \n${LINK}\r\n` });
    expect(await readCodes(png)).toEqual([LINK]);
  });

  test.each([
    ["low", "L"],
    ["medium", "M"],
    ["quartile", "Q"],
    ["high", "H"],
  ])("is read with error correction %s at its maximum length", async (errorCorrection, ecLevel) => {
    const text = "🎟".repeat(300);
    const css = "img { width: 800px; height: 800px; }";
    const { png } = await drawCode({ entry: text, field: { errorCorrection }, css });
    expect(await scan(png)).toEqual([{ text, ecLevel }]);
  });

  // The code has 37 modules with its margin.
  test.each([
    [7, "img { position: absolute; left: 10.4px; top: 0; width: 271px; height: 283px; }"],
    [7, "img { position: absolute; left: 10.5px; top: 0.5px; width: 259.49px; height: 266.66px; }"],
    [6, "img { width: 258.9px; height: 300px; min-width: 258.9px; }"],
    [5, "img { box-sizing: content-box; width: 200px; height: 200px; padding: 3px 10px; }"],
    [5, "img { width: 212px; height: 220px; padding: 3px 10px; border: 2px solid #fff; }"],
    [4, "body { display: flex; flex-direction: column; width: 150px; } img { flex: 1; min-height: 0; width: 100%; }"],
    [9, "body { display: grid; grid-template: 350px / 400px; } img { width: 100%; height: 100%; }"],
  ])("has modules of %i whole pixels: %s", async (module, css) => {
    const { png } = await drawCode({ entry: LINK, css });
    const runs = Array.from(await runsOf(png));
    expect(runs).toContain(module);
    expect(runs.filter((run) => run % module !== 0)).toEqual([]);
    expect(await readCodes(png)).toEqual([LINK]);
  });

  test("does not move the elements beside it", async () => {
    const html = `<div>${IMG}<p>beside</p></div>`;
    const css = `div { display: flex; width: 500px; height: 120px; } p { font: 20px/1 "Noto Sans", sans-serif; }`;
    const grown = { img: "img { flex: 1; min-width: 0; }", p: "p { flex: 1; }" };
    const { png } = await drawCode({ entry: LINK, html, css: `${css} ${grown.img} ${grown.p}` });
    const plain = await drawCode({ entry: LINK, html, css: `${css} img { flex: none; width: 250px; } ${grown.p}` });
    expect(png.equals(plain.png)).toBe(true);
  });

  test("that is too fine for many scanners gets a warning with the actual and the wanted size", async () => {
    const css = "img { width: 100px; height: 100px; }";
    const { warnings } = await drawCode({ entry: LINK, css });
    expect(warnings).toEqual([
      {
        path: "/data/entry",
        code: "qr_too_fine",
        message: expect.stringMatching(/room for modules of 2\.7 px, want 3 px\./),
      },
    ]);
  });

  test("with one hidden copy gets no warning", async () => {
    const html = `<div>${IMG}</div>${IMG}`;
    const css = "img { width: 200px; height: 200px; } div { display: none; }";
    expect((await drawCode({ entry: LINK, html, css })).warnings).toEqual([]);
  });

  test("that is hidden gets a warning like any field", async () => {
    const { warnings } = await drawCode({ entry: LINK, css: "img { display: none; }" });
    expect(warnings).toMatchObject([{ path: "/data/entry", code: "field_ignored" }]);
  });
});

test("the QR codes of the shipped tickets can be read, also on a torn stub", async () => {
  const { templates } = await compileRegistry(join(SHIPPED_TEMPLATES_DIR, "event"));
  const ticket = templates.find(({ slug }) => slug === "ticket");
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
