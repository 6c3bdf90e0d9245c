import { isDeepStrictEqual } from "node:util";
import type { Issue } from "#lib/errors.ts";
import { missingGlyphs } from "#lib/fonts/coverage.ts";
import type { Fit } from "#lib/type/fit/fit-rule.ts";
import type { CodeOutcome, FitOutcome, Measurements } from "#lib/type/fit/measurements.ts";
import { isLinear } from "./drawings/barcode-image.ts";
import { lossesByField, lossWarnings } from "./drawings/loss-warnings.ts";
import { CONTENT_TYPES, fitOf, type SimpleDeclaration, textOf } from "./fields/field-types.ts";
import { type Composed, effectTest } from "./lists/effect-test.ts";
import { isGiven, type LeafField, leafPointer, leavesOf, valueAt } from "./lists/leaf-fields.ts";
import type { Template } from "./template.ts";

/** The number of characters without a glyph that one warning names. */
const NAMED_CHARACTERS = 8;

/**
 * The smallest module of a code, in pixels, that cameras read reliably from a screen or from print. Of bars, a reader has
 * the whole height.
 */
const MIN_MODULE_PX = 3;
const MIN_BAR_PX = 2;

/** A text that keeps less than this part of its characters says something else than the request. */
const LEAST_SHOWN = 0.5;

/** The fields for which the request has a value that is not empty and differs from the variant. */
function editedLeaves({ template, base, values }: Omit<Composed, "document">): LeafField[] {
  return leavesOf(template.fields, values).filter(
    (leaf) => leaf.value !== null && !isDeepStrictEqual(leaf.value, valueAt(base, leaf)),
  );
}

/** Those of them that the request names. Others are words of the template, which follow the language. */
function givenLeaves(composed: Omit<Composed, "document">): LeafField[] {
  const { given } = composed;
  return editedLeaves(composed).filter((leaf) => given === undefined || isGiven(given, leaf));
}

function nameCharacter(character: string): string {
  const codePoint = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `"${character}" (U+${codePoint})`;
}

function glyphMessage(characters: string[]): string {
  const named = characters.slice(0, NAMED_CHARACTERS).map(nameCharacter).join(", ");
  const more = characters.length - NAMED_CHARACTERS;
  return `No font has ${named}${more > 0 ? ` and ${more} more` : ""}.`;
}

/**
 * The warnings that need no rendering: characters without a glyph, and content that the template has no place for.
 * @throws the signal's reason
 */
export async function documentWarnings(composed: Composed, signal?: AbortSignal): Promise<Issue[]> {
  const { template, values } = composed;
  const glyphs = leavesOf(template.fields, values).flatMap(({ id, declaration, value }) => {
    const missing = missingGlyphs(textOf(declaration, value) ?? "", template.glyphs);
    return missing.length === 0 ? [] : { path: leafPointer(id), code: "glyph_missing", message: glyphMessage(missing) };
  });
  const hasEffect = effectTest(composed, signal);
  const ignored: Issue[] = [];
  for (const leaf of givenLeaves(composed))
    if (CONTENT_TYPES.includes(leaf.declaration.type) && !(await hasEffect(leaf)))
      ignored.push(ignoredWarning(leaf.id));
  // What a variant's own values have no place for is its design. Code that is cut is told in any case.
  const edited = new Set(editedLeaves(composed).map(({ id }) => leafPointer(id)));
  const lost = lossWarnings(composed).filter(({ code, path }) => code === "text_cut" || edited.has(path));
  return [...glyphs, ...ignored, ...lost];
}

function ignoredWarning(id: string): Issue {
  const message =
    "The picture does not show this value: the template has no place for it with these edits and this variant.";
  return { path: leafPointer(id), code: "field_ignored", message };
}

function fitWarning({ field, from, to, cut }: FitOutcome): Issue {
  const path = leafPointer(field);
  if (!cut) return { path, code: "text_shrunk", message: `Made smaller to fit: ${to} px, designed for ${from} px.` };
  const { shown, of } = cut;
  return { path, code: "text_cut", message: `Cut to fit: ${shown} of ${of} characters are shown, at ${to} px.` };
}

const severityOf = ({ from, to, cut }: FitOutcome) => (cut ? 2 - cut.shown / cut.of : 1 - to / from);

/** By field: of several elements that show the same text, the one that shows the least of it. */
function worstFits(fits: FitOutcome[]): Map<string, FitOutcome> {
  const worst = new Map<string, FitOutcome>();
  for (const fit of fits) {
    const other = worst.get(fit.field);
    if (!other || severityOf(fit) > severityOf(other)) worst.set(fit.field, fit);
  }
  return worst;
}

/** True for a text that is smaller than its template wants. One that fills its room has a size of its own for that. */
function isUncomfortable({ from, to, why }: FitOutcome, rule: Fit | undefined): boolean {
  if (why === "breaks") return false;
  if (rule?.mode === "fill") return to < (rule.comfortSize ?? rule.minSize ?? from / 2);
  return to < from;
}

type CodeRule = { code: string; wantedPx: number; advice: string };

function codeRule(declaration: SimpleDeclaration): CodeRule {
  if (declaration.type !== "barcode")
    return { code: "qr_too_fine", wantedPx: MIN_MODULE_PX, advice: "Send a shorter text." };
  const { symbology } = declaration;
  const wantedPx = isLinear(symbology) ? MIN_BAR_PX : MIN_MODULE_PX;
  const isFixed = symbology === "ean-13" || symbology === "upc-a";
  const advice = isFixed ? "Make it wider in the template." : "Send a shorter text.";
  return { code: "barcode_too_fine", wantedPx, advice };
}

/** Of several elements that show the same code, the smallest counts. */
function codeWarning(codes: CodeOutcome[], name: string, declaration: SimpleDeclaration): Issue | undefined {
  if (codes.length === 0) return undefined;
  const room = codes.reduce((least, outcome) => Math.min(least, outcome.room), Number.POSITIVE_INFINITY);
  const { code, wantedPx, advice } = codeRule(declaration);
  if (room >= wantedPx) return undefined;
  const got = Math.floor(room * 10) / 10;
  const message = `Too fine for many scanners: got room for modules of ${got} px, want ${wantedPx} px. ${advice}`;
  return { path: leafPointer(name), code, message };
}

type Measured = Pick<Composed, "template" | "base" | "values" | "given"> & { measured: Measurements };

/** The warnings that need measurements: texts made smaller or cut, codes too fine, and hidden content. */
export function layoutWarnings({ measured: { fits, codes, hidden }, ...composed }: Measured): Issue[] {
  const given = new Set(givenLeaves(composed).map(({ id }) => id));
  const [worst, unseen] = [worstFits(fits), new Set(hidden)];
  const codesOf = Map.groupBy(codes, ({ field }) => field);
  const shown = leavesOf(composed.template.fields, composed.values).filter(({ id }) => !unseen.has(id));
  const fitted = shown.flatMap(({ id, declaration }) => {
    const fit = worst.get(id);
    const rule = fitOf(declaration);
    // A text of the variant or of the template may be made smaller: that is its design.
    const isWarned = fit && (fit.cut || (isUncomfortable(fit, rule) && given.has(id)));
    return (isWarned ? fitWarning(fit) : codeWarning(codesOf.get(id) ?? [], id, declaration)) ?? [];
  });
  return [...fitted, ...hidden.filter((id) => given.has(id)).map(ignoredWarning)];
}

/** True for a variant with its own content. To empty a field, or to shorten a list, is an edit: it moves the other texts. */
function isUnedited({ template, base, values }: Omit<Composed, "document">): boolean {
  return Object.keys(template.fields).every((name) => isDeepStrictEqual(values[name] ?? null, base[name] ?? null));
}

/**
 * The texts that an edit makes too long for their room: less than half of their characters would be shown. A variant with
 * its own content is never refused.
 */
export function overlongTexts({ measured: { fits }, ...composed }: Measured): Issue[] {
  if (isUnedited(composed)) return [];
  const worst = worstFits(fits);
  return leavesOf(composed.template.fields, composed.values).flatMap(({ id }) => {
    const { cut, to } = worst.get(id) ?? {};
    if (!cut || cut.shown >= cut.of * LEAST_SHOWN) return [];
    const { shown, of } = cut;
    const advice = shown > 0 ? `send at most about ${shown}` : "shorten this text or those around it";
    const message = `Shows ${shown} of ${of} characters at the smallest size, ${to} px; ${advice}.`;
    return { path: leafPointer(id), code: "text_too_long", message };
  });
}

/** Sorts warnings in the order of the fields, so that the same input gives the same warnings. */
export function inFieldOrder({ fields }: Template, warnings: Issue[]): Issue[] {
  const names = Object.keys(fields);
  const rankOf = (path: string): number[] => {
    const [name = "", index = -1, inner = ""] = path.slice("/data/".length).split("/");
    const field = fields[name];
    const items = field?.type === "list" ? Object.keys(field.item) : [];
    return [Math.max(0, names.indexOf(name)), Number(index), items.indexOf(inner)];
  };
  const ranked = warnings.map((warning) => ({ warning, rank: rankOf(warning.path) }));
  const order = (a: number[], b: number[]) => a.map((own, at) => own - (b[at] ?? 0)).find((by) => by !== 0) ?? 0;
  return ranked.toSorted((a, b) => order(a.rank, b.rank)).map(({ warning }) => warning);
}

/** The drawings that leave out more than half of what an edit sends. A variant with its own content is never refused. */
export function overlongDrawings(composed: Composed): Issue[] {
  const edited = new Set(editedLeaves(composed).map(({ id }) => id));
  return lossesByField(composed)
    .filter(({ loss: { code, isNeverRefused } }) => code === "text_cut" && !isNeverRefused)
    .filter(({ id, loss: { shown, of } }) => edited.has(id) && shown < of * LEAST_SHOWN)
    .map(({ id, loss: { shown, of, unit, hint } }) => ({
      path: leafPointer(id),
      code: "text_too_long",
      message: `Shows ${shown} of ${of} ${unit} ${hint}.`,
    }));
}
