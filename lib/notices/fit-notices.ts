import type { SimpleDeclaration } from "#lib/templates/fields/field-types.ts";
import { fitOf } from "#lib/templates/fields/field-types.ts";
import { MANIFEST_FILE } from "#lib/templates/folders/template-texts.ts";
import type { JsonFile } from "#lib/templates/json-file.ts";
import { declaredLeaves, leavesOf } from "#lib/templates/lists/leaf-fields.ts";
import type { Template, TemplateManifest } from "#lib/templates/template.ts";
import { lineAt } from "#lib/templates/template-files.ts";
import type { Fit } from "#lib/type/fit/fit-rule.ts";
import type { Measurements } from "#lib/type/fit/measurements.ts";
import { isMarkup, type Notice, type SourceText } from "./notice.ts";

/** A variant as it was drawn with its own content. */
export type DrawnVariant = { variant: string; measured: Measurements };

type Fitted = { name: string; rule: Fit };

type FitNotices = {
  template: Template;
  manifest: JsonFile<TemplateManifest>;
  /** The files of the template, to name the line of an element. */
  sources: SourceText[];
  drawn: DrawnVariant[];
  /** The fields whose elements never have more than one line. */
  oneLine: string[];
};

const px = (size: number) => `${Math.round(size * 100) / 100} px`;

/** The name of a field without the place of its item: `rows[2].name` is `rows.name`. */
const fieldOf = (id: string) => id.replace(/\[\d+\]/, "");

function fittedFields(template: Template): Fitted[] {
  return declaredLeaves(template.fields).flatMap(([name, declaration]: [string, SimpleDeclaration]) => {
    const rule = fitOf(declaration);
    return rule ? [{ name, rule }] : [];
  });
}

/** Keys of a rule that its other keys make meaningless. */
function contradictions({ rule: { mode, minSize, comfortSize } }: Fitted): { key: keyof Fit; reason: string }[] {
  const found: { key: keyof Fit; reason: string }[] = [];
  if (mode === "clamp" && minSize !== undefined)
    found.push({
      key: "minSize",
      reason: `got minSize ${minSize} with the mode "clamp", which never changes the size. Remove minSize, or choose "shrink".`,
    });
  if (mode !== "fill" && comfortSize !== undefined)
    found.push({
      key: "comfortSize",
      reason: `got comfortSize ${comfortSize} with the mode "${mode}", want it with "fill" alone. Remove it.`,
    });
  else if (minSize !== undefined && comfortSize !== undefined && comfortSize < minSize)
    found.push({
      key: "comfortSize",
      reason: `got comfortSize ${comfortSize}, want at least ${minSize}, which is minSize: no text is smaller. Raise comfortSize, or remove it.`,
    });
  return found;
}

type Smallest = { size: number; variant: string };

/** The smallest font size that the style sheet gives to the elements of a field, and a variant that has it. */
function smallestSize(name: string, drawn: DrawnVariant[]): Smallest | undefined {
  const sizes = drawn.flatMap(({ variant, measured }) =>
    measured.fits.filter(({ field }) => fieldOf(field) === name).map(({ from: size }) => ({ size, variant })),
  );
  return sizes.toSorted((a, b) => a.size - b.size)[0];
}

/** The elements of a field with the place of each one, because any of them may be meant: `its element in social/card/template.html:4`. */
function elementsOf(name: string, sources: SourceText[]): string {
  const mark = new RegExp(`data-fit\\s*=\\s*["']${name.replace(".", "\\.")}["']`, "g");
  const places = sources
    .filter(isMarkup)
    .flatMap(({ file, text }) => [...text.matchAll(mark)].map(({ index }) => `${file}:${lineAt(text, index)}`));
  const its = places.length > 1 ? `its ${places.length} elements` : "its element";
  return places.length === 0 ? its : `${its} in ${places.join(" and ")}`;
}

/** Keys of a rule that the font size of the element makes meaningless. Only the page knows that size. */
function sizesAbove({ name, rule }: Fitted, { drawn, sources }: FitNotices): { key: keyof Fit; reason: string }[] {
  const smallest = smallestSize(name, drawn);
  if (!smallest || rule.mode === "clamp") return [];
  const found: { key: keyof Fit; reason: string }[] = [];
  const { size, variant } = smallest;
  const want = `want at most ${px(size)}, the smallest font size of ${elementsOf(name, sources)} in the variant "${variant}"`;
  const { minSize = 0, comfortSize = 0 } = rule;
  if (minSize > size)
    found.push({
      key: "minSize",
      reason: `got minSize ${minSize}, ${want}: its text is never made smaller. Lower minSize, or raise the font size.`,
    });
  if (rule.mode === "fill" && comfortSize > size && comfortSize >= minSize)
    found.push({
      key: "comfortSize",
      reason: `got comfortSize ${comfortSize}, ${want}: every text counts as made smaller. Lower comfortSize, or raise the font size.`,
    });
  return found;
}

/** More lines than the style sheet lets the element have. */
function linesBeyondOne(
  { name, rule }: Fitted,
  { sources, oneLine }: FitNotices,
): { key: keyof Fit; reason: string }[] {
  if (rule.maxLines === undefined || rule.maxLines === 1 || !oneLine.includes(name)) return [];
  const reason = `got maxLines ${rule.maxLines}, but the text has one line only in ${elementsOf(name, sources)}: it may not wrap (white-space: nowrap). Set maxLines to 1, or let it wrap.`;
  return [{ key: "maxLines", reason }];
}

/** Keys that compare texts, in a template that has nothing to compare. */
function comparisons({ name, rule }: Fitted, all: Fitted[]): { key: keyof Fit; reason: string }[] {
  const found: { key: keyof Fit; reason: string }[] = [];
  // The items of a list are several texts of one field.
  if (
    rule.group !== undefined &&
    !name.includes(".") &&
    all.every((other) => other.name === name || other.rule.group !== rule.group)
  )
    found.push({
      key: "group",
      reason: `got the group "${rule.group}", which no other field has. Give it to the texts that shall have the same size, or remove it.`,
    });
  if (rule.priority !== 0 && all.every((other) => other.rule.priority === rule.priority))
    found.push({
      key: "priority",
      reason: `got priority ${rule.priority}, which every text with fit has. Only different priorities have an effect. Change it, or remove it.`,
    });
  return found;
}

/** A text that is in the document of every variant that has it, but hidden: its rule has no effect on any picture. */
function isAlwaysHidden({ name }: Fitted, { template, drawn }: FitNotices): boolean {
  const having = drawn.filter(({ variant }) => {
    const values = template.variants[variant]?.values ?? {};
    return leavesOf(template.fields, values).some(({ id, value }) => fieldOf(id) === name && value !== null);
  });
  const isShown = ({ measured: { fits, hidden } }: DrawnVariant) =>
    fits.some(({ field }) => fieldOf(field) === name) || !hidden.some((id) => fieldOf(id) === name);
  return having.length > 0 && !having.some(isShown);
}

/** Finds parts of `fit` in a `template.json` that have no effect on a picture. */
export function fitNotices(given: FitNotices): Notice[] {
  const { template, manifest } = given;
  const all = fittedFields(template);
  return all.flatMap((field): Notice[] => {
    const [list = "", inner] = field.name.split(".");
    const path = ["fields", list, ...(inner === undefined ? [] : ["item", inner]), "fit"];
    const tell = (key: string, reason: string): Notice => ({
      file: `${template.slug}/${MANIFEST_FILE}`,
      line: manifest.lineOf(key === "" ? path : [...path, key]),
      reason: `The field "${field.name}": ${reason}`,
    });
    const hidden = `no variant shows ${elementsOf(field.name, given.sources)}, because the style sheet hides the text. Correct the style, or remove the field.`;
    return [
      ...[
        ...contradictions(field),
        ...sizesAbove(field, given),
        ...linesBeyondOne(field, given),
        ...comparisons(field, all),
      ].map(({ key, reason }) => tell(key, reason)),
      ...(isAlwaysHidden(field, given) ? [tell("", hidden)] : []),
    ];
  });
}
