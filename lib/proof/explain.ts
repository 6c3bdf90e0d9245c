import type { RenderOptions } from "#lib/render/render.ts";
import { examineTemplate } from "#lib/render/render-template.ts";
import type { Explanation } from "#lib/schemas/explanation.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";
import type { Template } from "#lib/templates/template.ts";
import type { FitOutcome } from "#lib/type/fit/fit-text.ts";
import { contrastOf, wantedRatio } from "./oracle/contrast-faults.ts";
import { findFaults, shownTexts } from "./oracle/find-faults.ts";
import { type Captures, type ExaminedPage, examinePage, readCaptures } from "./page/examine.ts";
import { boxAround, type TextUnit } from "./page/text-unit.ts";

type ExplainedText = Explanation["texts"][number];

/** Digits after the point of sizes and ratios. */
const round = (value: number) => Math.round(value * 100) / 100;

function linesOf({ glyphs }: TextUnit): string[] {
  const lines = Map.groupBy(glyphs, ({ line }) => line).values();
  return [...lines].map((line) =>
    line
      .map(({ text }) => text)
      .join("")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

function reasonsOf(unit: TextUnit, { fields }: Template, fit: FitOutcome | undefined): string[] {
  const field = fields[unit.field];
  const rule = field?.type === "text" ? field.fit : undefined;
  if (!fit || !rule) return [`No "fit" is declared, so the style sheet's ${round(unit.fontSize)} px are kept.`];
  const limit = `at most ${rule.maxLines} ${rule.maxLines === 1 ? "line" : "lines"}`;
  const size =
    fit.to === fit.from
      ? `It fits at the designed ${round(fit.from)} px, with ${limit}.`
      : `It was set from ${round(fit.from)} to ${round(fit.to)} px, so that it has ${limit} and stays in its box.`;
  const cut = fit.cut ? [`It was cut: ${fit.cut.shown} of ${fit.cut.of} characters are shown.`] : [];
  return [size, ...cut];
}

function contrastOfUnit(page: ExaminedPage, unit: TextUnit): ExplainedText["contrast"] {
  const strips = page.strips.filter((strip) => strip.unit.id === unit.id);
  const ratios = strips.flatMap((strip) => contrastOf(strip, page) ?? []);
  return ratios.length === 0 ? undefined : { ratio: round(Math.min(...ratios)), wanted: wantedRatio(unit) };
}

function explainUnit(page: ExaminedPage, unit: TextUnit, why: string[]): ExplainedText {
  const inks = page.strips.flatMap((strip) => (strip.unit.id === unit.id ? (strip.ink ?? []) : []));
  const contrast = contrastOfUnit(page, unit);
  const faces = page.faces.units.get(unit.id) ?? [];
  return {
    field: unit.field,
    text: unit.text.replaceAll(/\s+/g, " ").trim(),
    lines: linesOf(unit),
    fontSize: round(unit.fontSize),
    direction: unit.direction,
    faces: faces.map(({ family, name, glyphs }) => ({ family, face: name, glyphs })),
    ...(contrast && { contrast }),
    box: unit.box,
    ...(inks.length > 0 && { ink: boxAround(inks) }),
    why,
  };
}

/** The outcome for each unit. A field that is drawn twice has an outcome for each of its elements, in document order. */
function outcomesOf(units: TextUnit[], fits: FitOutcome[]): Map<number, FitOutcome> {
  const left = [...fits];
  const fitted = units.filter(({ field }) => field !== "");
  return new Map(
    fitted.flatMap(({ id, field }): [number, FitOutcome][] => {
      const index = left.findIndex((fit) => fit.field === field);
      const [fit] = index === -1 ? [] : left.splice(index, 1);
      return fit ? [[id, fit]] : [];
    }),
  );
}

/**
 * Draws a picture, and tells for each of its texts the size, the lines, the faces, the contrast, and why.
 * @throws as `renderTemplate`
 */
export async function explainPicture(
  request: RenderRequest,
  options: RenderOptions = {},
): Promise<{ explanation: Explanation; png: Buffer }> {
  const drawn = await examineTemplate(request, { ...options, examine: examinePage });
  const { template, variant, values, warnings, measured, png } = drawn;
  const page = await readCaptures(png, drawn.examined as Captures);
  const outcomes = outcomesOf(page.units, measured.fits);
  const texts = page.units.map((unit) => {
    const fit = outcomes.get(unit.id);
    return {
      ...explainUnit(page, unit, reasonsOf(unit, template, fit)),
      ...(fit && { designedSize: round(fit.from) }),
    };
  });
  const faults = findFaults(page, { texts: shownTexts(template, values, warnings), glyphs: template.glyphs });
  const { slug, width, height } = template;
  return { explanation: { template: slug, variant, width, height, texts, warnings, faults }, png };
}
