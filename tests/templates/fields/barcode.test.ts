import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { drawTemplate } from "#lib/render/draw-template.ts";
import { renderPicture, shutDown } from "#lib/render/render.ts";
import { compileRegistry, SHIPPED_TEMPLATES_DIR } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { barcodeDeclaration, barcodeField, checkDigit } from "#lib/templates/fields/barcode.ts";
import type { FieldValues } from "#lib/templates/template.ts";
import { drawCard } from "../card.ts";
import { readCodes, scanBarcodes } from "../read-codes.ts";
import { shippedTemplate } from "../sums/shipped-template.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "../template-folder.ts";

afterAll(() => shutDown());

const declare = (rest: object) => barcodeDeclaration.parse({ type: "barcode", label: "Pass", ...rest });

async function readOne(rest: object, value: unknown): Promise<unknown> {
  const read = await barcodeField.read(value, declare(rest), {});
  if ("fault" in read) return read.fault;
  if ("finish" in read) throw new Error("A barcode has no pixels.");
  return read.value.text;
}

test("codes of a list are drawn one in a turn of the event loop, and not after an abort", async () => {
  const stop = new AbortController();
  const code = declare({ symbology: "data-matrix" });
  const [first, second, ...rest] = Array.from({ length: 20 }, (_, index) =>
    barcodeField.read(`A-${index}`, code, { signal: stop.signal }),
  );
  await first;
  await second;
  // All of them would be drawn by now.
  stop.abort();
  const outcomes = await Promise.allSettled(rest);
  expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(10);
});

const IMG = '<img data-barcode="pass" src="{{ pass.src }}" alt="">';

type Trial = { pass: string; field: object; css?: string };

const draw = ({ pass, field, css = "img { width: 700px; height: 300px; }" }: Trial) =>
  drawCard(
    {
      "template.json": manifestWith(
        { pass: { type: "barcode", label: "Pass", ...field } },
        { width: 800, height: 800 },
      ),
      "template.html": `{% if pass %}${IMG}<p>{{ pass.text }}</p>{% endif %}`,
      "style.css": css,
    },
    { pass },
  );

describe("a barcode in a picture", () => {
  test.each([
    ["ean-13", "4006381333931", "EAN13", "4006381333931"],
    ["ean-13", "978-3-16-148410", "EAN13", "9783161484100"],
    // A UPC-A is the EAN-13 that begins with a zero.
    ["upc-a", "036000291452", "EAN13", "0036000291452"],
    ["code-128", "PLATEN-2026/007 ^103 {x}", "Code128", "PLATEN-2026/007 ^103 {x}"],
    ["code-128", "12345678901234567890", "Code128", "12345678901234567890"],
    ["data-matrix", "https://badges.example/4417", "DataMatrix", "https://badges.example/4417"],
    ["data-matrix", "héllo ^ECI 東京 مرحبا 🎟", "DataMatrix", "héllo ^ECI 東京 مرحبا 🎟"],
    ["data-matrix", "BEGIN:VCARD\nFN:Ada\nEND:VCARD", "DataMatrix", "BEGIN:VCARD\nFN:Ada\nEND:VCARD"],
  ])("is read by a scanner exactly as sent: %s %j", async (symbology, pass, format, text) => {
    const { png, warnings } = await draw({ pass, field: { symbology } });
    expect(await scanBarcodes(png)).toEqual([{ format, text }]);
    expect(warnings).toEqual([]);
  });

  test("has bars of whole pixels in an element of any width, as high as the element", async () => {
    const css =
      "img { position: absolute; left: 10.4px; top: 0.5px; width: 441.5px; height: 100.3px; } p { margin-top: 300px; }";
    const { png, measured } = await draw({ pass: "4006381333931", field: { symbology: "ean-13" }, css });
    expect(measured.codes).toEqual([{ field: "pass", room: expect.closeTo(441.5 / 113, 3) }]);
    expect(await scanBarcodes(png)).toEqual([{ format: "EAN13", text: "4006381333931" }]);
  });

  test.each([
    [{ symbology: "ean-13" }, "4006381333931", /modules of 1\.7 px, want 2 px\. Make it wider in the template\./],
    [{ symbology: "data-matrix" }, "🎟".repeat(100), /modules of 2\.\d px, want 3 px\. Send a shorter text\./],
  ])("that is too fine for many scanners gets a warning: %j", async (field, pass, message) => {
    const { warnings } = await draw({ pass, field, css: "img { width: 200px; height: 200px; }" });
    expect(warnings).toEqual([
      { path: "/data/pass", code: "barcode_too_fine", message: expect.stringMatching(message) },
    ]);
  });
});

test.each([
  [{ symbology: "ean-13" }, "4006381333930", "Got the check digit 0, want 1: 4006381333931."],
  [{ symbology: "upc-a" }, "036000291453", "Got the check digit 3, want 2: 036000291452."],
  [{ symbology: "ean-13" }, "12345", 'Got "12345", want 13 digits, or 12 without the check digit.'],
  [{ symbology: "upc-a" }, "03600029145x", 'Got "03600029145x", want 12 digits, or 11 without the check digit.'],
  [{ symbology: "ean-13" }, 4006381333931, "Got 4006381333931, want the digits of a barcode as a string."],
  [{ symbology: "code-128" }, "é", 'Got "é", want letters, digits and signs of ASCII: Code 128 holds no others.'],
  [{ symbology: "code-128" }, "x".repeat(81), "Got 81 characters, want at most 80."],
  [{ symbology: "data-matrix", maxLength: 3 }, "four", "Got 4 characters, want at most 3."],
  [{ symbology: "data-matrix" }, "half a \ud83d", "Got half of a surrogate pair, want whole characters."],
])("%j refuses %.20j", async (field, value, message) => {
  expect(await readOne(field, value)).toMatchObject({ message });
});

test("the check digit is that of GS1", () => {
  expect([checkDigit("629104150021"), checkDigit("03600029145"), checkDigit("000000000000")]).toEqual([3, 2, 0]);
});

test("the longest text of every kind can be drawn", async () => {
  expect(await readOne({ symbology: "code-128" }, "~é".replace("é", "|").repeat(40))).toHaveLength(80);
  expect(await readOne({ symbology: "data-matrix" }, "🎟".repeat(200))).toHaveLength(400);
});

async function faultsOf(html: string): Promise<string[]> {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({ title: TITLE, pass: { type: "barcode", label: "Pass", symbology: "code-128" } }),
    "template.html": `{{ title }}${html}`,
  });
  return (await compileRegistry(root)).faults.map(({ line, reason }) => `${line} ${reason}`);
}

test.each([
  ['<img src="{{ pass.src }}" alt="">', /want a barcode as <img data-barcode="pass" src="\{\{ pass\.src \}\}">/],
  ['<img data-barcode="pass" src="{{ pass }}" alt="">', /want a barcode as/],
  [`{% if pass %}${IMG}{% endif %}<b style="color: {{ pass.text }}">x</b>`, /field "pass" is in the attribute style/],
  [
    `${IMG}{{ pass }}`,
    /1 Got \{\{ pass \}\}, want \{\{ pass\.src \}\} as the src of an <img>, or \{\{ pass\.text \}\}\./,
  ],
  ["{% if pass %}x{% endif %}", /The field "pass" is a barcode, but no element has data-barcode="pass"/],
])("a template that uses a barcode wrongly is refused: %s", async (html, reason) => {
  expect((await faultsOf(html)).join("\n")).toMatch(reason);
});

test("the codes of the shipped badges can be read, also on a dark ground", async () => {
  const { templates } = await compileRegistry(SHIPPED_TEMPLATES_DIR);
  const badge = templates.find(({ slug }) => slug === "event/badge");
  if (!badge) throw new Error("There is no badge.");
  const grounds = [...Object.values(badge.variants), { ...badge.variants.speaker, dark: true }];
  for (const { values, content, dark } of grounds as { values: object; content: { pass: string }; dark?: boolean }[]) {
    const colors = dark ? { paper: "#101820", ink: "#ffb000" } : {};
    const { png } = await renderPicture(composeDocument(badge, { ...values, ...colors }));
    expect(await scanBarcodes(png)).toEqual([{ format: "DataMatrix", text: content.pass }]);
  }
});

test("the role of a badge leaves its code a margin, also with letters that reach far below the line", async () => {
  const template = await shippedTemplate("event/badge");
  const data = { role: "ਗੁਰੂ", language: "pa" };
  const { png } = await drawTemplate({ template, variant: "speaker", data }, { timings: {} });
  // As a camera sees it.
  const seen = await sharp(png).resize(620).blur(0.6).png().toBuffer();
  expect(await scanBarcodes(seen)).toEqual([{ format: "DataMatrix", text: "WETINK-27-0418" }]);
});

describe("the codes of shipped documents can be read", () => {
  const draw = async (slug: string, variant: string, ...edits: FieldValues[]) => {
    const template = await shippedTemplate(slug);
    return await Promise.all(edits.map((data) => drawTemplate({ template, variant, data }, { timings: {} })));
  };

  test.each(["market", "nacre", "munyang"])("on a receipt of any paper: %s", async (variant) => {
    // The shorter a code is, the wider are its bars, and so is the margin that it needs.
    const pass = { barcode: "17" };
    const link = { barcode: null, link: "https://shop.example/receipts/0417" };
    const edits = [pass, { ...pass, paper: "#c00000" }, { ...link, paper: "#000000" }];
    const [light, red, black] = await draw("commerce/receipt", variant, ...edits);
    if (!light || !red || !black) return expect.fail();
    for (const { png } of [light, red])
      expect(await scanBarcodes(png)).toEqual([{ format: "Code128", text: pass.barcode }]);
    expect(await readCodes(black.png)).toEqual([link.link]);
    expect(black.warnings).toEqual([]);
  });

  test("on a dark invoice", async () => {
    const [invoice] = await draw("document/invoice", "studio", { paper: "#000000" });
    expect(invoice && (await readCodes(invoice.png))).toEqual(["https://pay.marlowfinch.example/i/MF-1048"]);
  });
});
