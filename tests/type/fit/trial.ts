import { renderPicture } from "#lib/render/render.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import type { FitOutcome } from "#lib/type/fit/measurements.ts";
import { compileCard } from "#tests/templates/card.ts";
import { manifestWith } from "#tests/templates/template-folder.ts";

export const SHRINK = { mode: "shrink", minSize: 20, maxLines: 2 };
export const CSS = 'h1 { width: 360px; font: 400 60px/1.1 "Noto Sans", sans-serif; }';

type Trial = { title: string; fit?: object; css?: string };

type Text = { text: string; fit?: object };

/** Renders a template with one element per text, and reports how each was fitted and what it then holds. */
export async function fitTexts(texts: Record<string, Text>, css: string) {
  const names = Object.keys(texts);
  const fields = Object.entries(texts).map(([name, { text, fit }]) => [
    name,
    { type: "text", label: name, required: text !== "", maxLength: 2_000, multiline: true, fit },
  ]);
  const values = Object.fromEntries(Object.entries(texts).map(([name, { text }]) => [name, text]));
  const template = await compileCard({
    "template.json": manifestWith(Object.fromEntries(fields)),
    "content.json": JSON.stringify({ plain: values }),
    "template.html": names.map((name) => `<h1 data-fit="${name}" id="${name}" dir="auto">{{ ${name} }}</h1>`).join(""),
    "style.css": css,
  });
  const { recolor: _, ...document } = composeDocument(template, values);
  const measure = `(() => {
    const measured = ${document.measure};
    const elements = Array.from(document.querySelectorAll("h1"));
    return measured.fits.map((fit, index) => ({
      ...fit,
      text: elements[index].textContent,
      html: elements[index].innerHTML,
      overflow: elements[index].scrollHeight - elements[index].clientHeight,
    }));
  })()`;
  const { measured } = await renderPicture({ ...document, measure });
  return measured as (FitOutcome & { text: string; html: string; overflow: number })[];
}

/** Renders one fitted title, and reports how it was fitted and what it then holds. */
export async function fitTitle({ title, fit = SHRINK, css = CSS }: Trial) {
  const [fitted] = await fitTexts({ title: { text: title, fit } }, css);
  if (!fitted) throw new Error("The title was not measured.");
  return { ...fitted, cut: fitted.cut };
}
