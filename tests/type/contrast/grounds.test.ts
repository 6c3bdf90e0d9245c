import { describe, expect, test } from "vitest";
import { renderPrepared } from "#lib/render/render.ts";
import { composeDocument, type PageMeasurements } from "#lib/templates/compose.ts";
import { isUnclear } from "#lib/type/contrast/known-contrast.ts";
import { useRendering } from "#tests/render/rendering.ts";
import { compileCard } from "#tests/templates/card.ts";
import { manifestWith } from "#tests/templates/template-folder.ts";

useRendering();

/** Renders a card, and tells which of its texts the computed colours leave unclear. */
async function unclearIn(html: string, css = ""): Promise<string[]> {
  const template = await compileCard({
    "template.json": manifestWith({ title: { type: "text", label: "Title", required: true } }),
    "template.html": html,
    "style.css": `main { position: relative; height: 200px; } p { font: 30px/1 "Noto Sans"; width: 150px; } ${css}`,
    "content.json": JSON.stringify({ plain: { title: "Reader" } }),
  });
  const document = composeDocument(template, { title: "Reader" });
  const { measured } = await renderPrepared(async () => document, { signal: AbortSignal.timeout(20_000) });
  return (measured as PageMeasurements).contrast.filter(isUnclear).map(({ text }) => text.trim());
}

describe("the computed colours decide", () => {
  const text = "<p>{{ title }}</p>";

  test("over the part of a gradient that is behind the text", async () => {
    const across = "main { background: linear-gradient(90deg, #fff, #fff 50%, #000); }";
    expect(await unclearIn(`<main>${text}</main>`, across)).toEqual([]);
    expect(await unclearIn(`<main>${text}</main>`, `${across} p { margin-left: 300px; }`)).toEqual(["Reader"]);
  });

  test("over the shapes of a drawing that are behind the text, from the topmost opaque one", async () => {
    const drawing = (shapes: string) =>
      `<main><svg style="position: absolute; inset: 0" width="400" height="200">${shapes}</svg>${text.replace("<p", '<p style="position: relative"')}</main>`;
    expect(await unclearIn(drawing('<path d="M250 0h100v200h-100z"/>'))).toEqual([]);
    expect(await unclearIn(drawing('<path fill="none" stroke="#000" d="M1 100v99h398v-199h-100"/>'))).toEqual([]);
    const plate = '<rect width="400" height="200" fill="#fff"/>';
    expect(await unclearIn(drawing(`<rect width="400" height="200"/>${plate}`))).toEqual([]);
    expect(await unclearIn(drawing('<rect width="80" height="200"/>'))).toEqual(["Reader"]);
  });

  test("over the box that cuts off what the line box of large letters has beyond them", async () => {
    const html = `<main><div class="half">${text}</div><div class="dark"></div></main>`;
    const css = `p { font-size: 80px; line-height: 0.2; } .half { height: 30px; overflow: hidden; background: #fff; }
      .dark { height: 100px; background: #000; }`;
    expect(await unclearIn(html, css)).toEqual(["Reader"]);
    expect(await unclearIn(html, `${css} .half { position: relative; }`)).toEqual([]);
  });

  test("over an opaque element that hides an image", async () => {
    const image = '<svg style="position: absolute; inset: 0" width="400" height="200"><filter id="f"/></svg>';
    expect(await unclearIn(`<main>${image}${text}</main>`)).toEqual(["Reader"]);
    const plate = "p { position: relative; background: #fff; }";
    expect(await unclearIn(`<main>${image}${text}</main>`, plate)).toEqual([]);
  });

  test("over a sheet that is clipped to a polygon, where the text is inside it", async () => {
    const html = `<main><i class="sheet"></i>${text}</main>`;
    const css = (polygon: string) => `main { background: #555; } p { position: absolute; left: 100px; top: 80px; }
      .sheet { position: absolute; inset: 0; background: #fff; clip-path: ${polygon}; }`;
    for (const around of [
      "polygon(0 20px, 100% 40px, 100% calc(100% - 20px), 0 calc(100% - 40px))",
      "polygon(evenodd, 10% -10px, 380px 0, calc(50% + 180px) 100%, 20px 200px)",
      "polygon(0 0, 100% 0, 100% 100%, 0 10em)",
    ])
      expect(await unclearIn(html, css(around)), around).toEqual([]);
    for (const through of [
      "polygon(0 90px, 100% 90px, 100% 100%, 0 100%)",
      "polygon(0 0, 120px 0, 130px 60px, 140px 0, 100% 0, 100% 100%, 145px 100%, 135px 85px, 125px 100%, 0 100%)",
      "polygon(300px 0, 100% 0, 100% 100%, 300px 100%)",
      "circle(190px)",
      "inset(10px)",
    ])
      expect(await unclearIn(html, css(through)), through).toEqual(["Reader"]);
  });
});
