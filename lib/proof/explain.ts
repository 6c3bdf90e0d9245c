import type { RenderOptions } from "#lib/render/queue/render-task.ts";
import { examineTemplate } from "#lib/render/render-template.ts";
import type { Explanation } from "#lib/schemas/explanation.ts";
import type { RenderRequest } from "#lib/schemas/render.ts";
import { mapInPieces } from "#lib/slices.ts";
import { fitOf } from "#lib/templates/fields/field-types.ts";
import { leafDeclaration } from "#lib/templates/lists/leaf-fields.ts";
import type { Template } from "#lib/templates/template.ts";
import type { FitOutcome, FitReason } from "#lib/type/fit/measurements.ts";
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

/** What decided the size, as the end of a sentence. */
const REASONS: Record<FitReason, string> = {
  designed: "it fits at the size of the style sheet",
  width: "a larger size would be too wide for the box",
  lines: "a larger size would need more lines",
  height: "a larger size would be too high for the box",
  neighbours: "a larger size would reach the texts beside it",
  breaks: "a little smaller, its lines end at better places",
};

function reasonsOf(unit: TextUnit, { fields }: Template, fit: FitOutcome | undefined): string[] {
  const rule = fitOf(leafDeclaration(fields, unit.field));
  if (!fit || !rule) return [`The text has no "fit", so it keeps the ${round(unit.fontSize)} px of the style sheet.`];
  const { from, to, why, cut, leading } = fit;
  const limit = `${rule.maxLines} ${rule.maxLines === 1 ? "line" : "lines"}`;
  const change = to === from ? `${round(to)} px` : `${round(to)} px instead of ${round(from)} px`;
  return [
    `"${rule.mode}" with at most ${limit} gives ${change}: ${REASONS[why]}.`,
    `Lines are ${round(leading)} px apart.`,
    ...(cut ? [`The text is cut: ${cut.shown} of ${cut.of} characters are shown.`] : []),
  ];
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
  const texts = await mapInPieces(page.units, (unit) => {
    const fit = outcomes.get(unit.id);
    return {
      ...explainUnit(page, unit, reasonsOf(unit, template, fit)),
      ...(fit && { designedSize: round(fit.from) }),
    };
  });
  const faults = await findFaults(page, { texts: shownTexts(template, values, warnings), glyphs: template.glyphs });
  const { slug, width, height } = template;
  return { explanation: { template: slug, variant, width, height, texts, warnings, faults }, png };
}
