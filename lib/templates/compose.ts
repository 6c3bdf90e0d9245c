import type { Template as LiquidNode } from "liquidjs";
import { EMOJI_RULE, fontStack } from "#lib/fonts/generic-families.ts";
import type { Point } from "#lib/images/prepare/focal-point.ts";
import { type ImageOutcome, imagesExpression } from "#lib/type/contrast/image-survey.ts";
import { recolorUnclear } from "#lib/type/contrast/low-contrast.ts";
import { outlineExpression } from "#lib/type/contrast/outline-survey.ts";
import { recolorExpression, surveyExpression } from "#lib/type/contrast/survey.ts";
import type { TextRun } from "#lib/type/contrast/text-run.ts";
import { assignFacesExpression } from "#lib/type/faces/assign-faces.ts";
import { buildFaceTable } from "#lib/type/faces/face-table.ts";
import type { Fit } from "#lib/type/fit/fit-rule.ts";
import { measureExpression } from "#lib/type/fit/fit-text.ts";
import type { Measurements } from "#lib/type/fit/measurements.ts";
import { placeExpression } from "#lib/type/images/place-images.ts";
import { countFormats } from "#lib/type/text/locales.ts";
import { RUN_RULES, type TextSettings } from "#lib/type/text/runs.ts";
import { withContent } from "./contrast-warnings.ts";
import { CODE_RULES } from "./drawings/code-block.ts";
import type { DrawingLoss } from "./drawings/drawing.ts";
import { fitOf } from "./fields/field-types.ts";
import { CENTER } from "./images/image-request.ts";
import type { ImageValue } from "./images/image-value.ts";
import { type Placement, placementOf, placementStyle } from "./images/placement.ts";
import { type FilledBody, fillLiquid, parseLiquid } from "./liquid.ts";
import { declaredLeaves, leavesOf } from "./lists/leaf-fields.ts";
import { liquidValues } from "./lists/liquid-values.ts";
import type { FieldValues, Template } from "./template.ts";
import { languageField, readTextSettings } from "./text-settings.ts";

/** A document for the browser to render. */
export type ComposedDocument = {
  html: string;
  /** CSS pixels. */
  width: number;
  height: number;
  /** A JavaScript expression to evaluate in the page once it has loaded. Its value is of type {@link PageMeasurements}. */
  measure: string;
  /** Returns an expression that recolours the texts whose contrast only a picture tells. Undefined where there is none. */
  recolor(measured: unknown): Promise<string | undefined>;
  /** The texts that the document shows, and how it writes them. */
  shown: Set<string>;
  settings: TextSettings;
  /** What its drawings leave out. */
  losses: DrawingLoss[];
  /** See {@link FilledBody}. */
  steps: number;
  /** The document may follow others in one page: its template was checked not to affect them. */
  sharesPage: true;
};

/** Lets a document load only what it contains. This is one of several layers that keep it off the network. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'";

/** Selects the elements of a field, or those of a field of all items. */
function selectorOf(attribute: string, key: string): string {
  const [list, name] = key.split(".");
  return name === undefined ? `[${attribute}="${key}"]` : `[${attribute}^="${list}["][${attribute}$="].${name}"]`;
}

/** Rules that place the images of fields in their elements. The white margin of a QR code fills its whole element. */
function imageRules({ fields }: Template): string[] {
  return declaredLeaves(fields).flatMap(([key, field]) => {
    if (field.type === "qr") return `${selectorOf("data-qr", key)}{object-fit:contain;background:#fff}`;
    // fit/page-report.ts gives the element whole modules. Bars are stretched to its height.
    if (field.type === "barcode") return `${selectorOf("data-barcode", key)}{object-fit:fill;background:#fff}`;
    if (field.type !== "image") return [];
    const { fit, focus = "center" } = field;
    const { x, y } = focus === "center" ? CENTER : focus;
    return `${selectorOf("data-image", key)}{object-fit:${fit};object-position:${x * 100}% ${y * 100}%}`;
  });
}

/** How the images of a document are placed, by the fields that they fill. */
function placements({ fields }: Template, values: FieldValues): [id: string, placement: Placement][] {
  return leavesOf(fields, values).flatMap(({ id, declaration, value }): [string, Placement][] => {
    if (declaration.type !== "image" || value === null || value === undefined) return [];
    const placement = placementOf(value as ImageValue, declaration);
    return placement ? [[id, placement]] : [];
  });
}

/** What a request asks for comes before the classes of a style sheet, which the second attribute outweighs. */
function placementRules(placed: [id: string, placement: Placement][]): string[] {
  return placed.flatMap(([id, placement]) => {
    const style = placementStyle(placement);
    return style === "" ? [] : `[data-image="${id}"][data-image]{${style}}`;
  });
}

/** The points to have in the middle of crops, which only the page can place. */
function middles(placed: [id: string, placement: Placement][]): Record<string, Point> {
  return Object.fromEntries(placed.flatMap(([id, { middle }]) => (middle ? [[id, middle]] : [])));
}

function baseStyles(template: Template): string {
  const { width, height } = template;
  return [
    "*,*::before,*::after{box-sizing:border-box}",
    EMOJI_RULE,
    RUN_RULES,
    `html,body{margin:0;width:${width}px;height:${height}px;overflow:hidden}`,
    `body{position:relative;background:#fff;color:#000;font:16px/1.4 ${fontStack("sans-serif")};overflow-wrap:break-word;text-rendering:geometricPrecision;font-synthesis:style}`,
    "h1,h2,h3,p,figure,blockquote,dl,dd,ul,ol{margin:0;padding:0}ul,ol{list-style:none}img,svg{display:block}",
    ...imageRules(template),
    ...(declaredLeaves(template.fields).some(([, { type }]) => type === "code") ? [CODE_RULES] : []),
  ].join("");
}

/** The `fit` of every field that declares one. A field of all items has one rule. */
function fitRules({ fields }: Template): Record<string, Fit> {
  return Object.fromEntries(
    declaredLeaves(fields).flatMap(([name, field]) => {
      const fit = fitOf(field);
      return fit ? [[name, fit]] : [];
    }),
  );
}

/** What is measured in the page: the fitted texts first, and then what is behind them. */
export type PageMeasurements = Measurements & { contrast: TextRun[]; images: ImageOutcome[] };

function recolorFor(shown: Set<string>): ComposedDocument["recolor"] {
  return async (measured) => {
    const { contrast } = measured as PageMeasurements;
    const colors = await recolorUnclear(withContent(contrast, shown));
    return colors.length === 0 ? undefined : recolorExpression(colors);
  };
}

const parsed = new WeakMap<Template, LiquidNode[]>();

function bodyOf(template: Template): LiquidNode[] {
  const known = parsed.get(template);
  if (known) return known;
  const nodes = parseLiquid(template.html);
  parsed.set(template, nodes);
  return nodes;
}

/** Making a format of `Intl` takes as long as this many steps, see {@link FilledBody}. */
const FORMAT_STEPS = 60;

/** As many formats as other bodies leave among those that are kept. A list of amounts in a hundred currencies has more. */
const FREE_FORMATS = 20;

/** Fills the body of a template. @throws as {@link composeDocument} */
export function composeBody(template: Template, values: FieldValues, settings: TextSettings): FilledBody {
  const name = languageField(template.fields);
  const known = name === undefined ? values : { ...values, [name]: settings.language };
  const { brand } = template;
  const { result, formats } = countFormats(() =>
    fillLiquid(
      bodyOf(template),
      { ...(brand && { brand }), ...liquidValues(template.fields, known, settings) },
      settings,
    ),
  );
  return { ...result, steps: result.steps + Math.max(0, formats - FREE_FORMATS) * FORMAT_STEPS };
}

/**
 * The elements that a document would have, without styles, fonts and scripts, on which no value has an effect. A check composes
 * hundreds of documents.
 * @throws as {@link composeDocument}
 */
export function composeElements(template: Template, values: FieldValues): string {
  const settings = readTextSettings(template.fields, values);
  const { html: body } = composeBody(template, values, settings);
  return `<!doctype html><html lang="${settings.language}" dir="${settings.direction}"><head></head><body>${body}</body></html>`;
}

/** Fills a template with checked values. @throws liquidjs RenderError for an undeclared variable */
export function composeDocument(template: Template, values: FieldValues): ComposedDocument {
  const settings = readTextSettings(template.fields, values);
  const { html: body, shown, losses, steps } = composeBody(template, values, settings);
  const faces = buildFaceTable({ fonts: template.fonts, glyphs: template.glyphs, text: body });
  const placed = placements(template, values);
  const html = [
    `<!doctype html><html lang="${settings.language}" dir="${settings.direction}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}">`,
    `<style>${baseStyles(template)}${placementRules(placed).join("")}${faces?.rules ?? ""}</style><style>${template.css}</style></head><body>${body}</body></html>`,
  ].join("");
  const { width, height } = template;
  const fitted = `({ ...${measureExpression(fitRules(template))}, placed: ${placeExpression(middles(placed))}, outlines: ${outlineExpression(template.html)}, contrast: ${surveyExpression(template.css)}, images: ${imagesExpression()} })`;
  const measure = faces ? `(${assignFacesExpression(faces.table)}, ${fitted})` : fitted;
  return { html, width, height, measure, recolor: recolorFor(shown), shown, settings, losses, steps, sharesPage: true };
}
