import { type Issue, pointer } from "#lib/errors.ts";
import { missingGlyphs } from "#lib/fonts/coverage.ts";
import { composeBody } from "./compose.ts";
import { CONTENT_TYPES, type FieldDeclaration, fieldType } from "./fields/field-types.ts";
import type { CodeOutcome, FitOutcome, Measurements } from "./fit-text.ts";
import type { FieldValues, Template } from "./template.ts";

/** How many characters without a glyph one warning names. Who sends a whole text in such a script knows which. */
const NAMED_CHARACTERS = 8;

/** A value that is shorter may stand in a document by chance, unless it is all that stands between two tags. */
const TELLING_CHARS = 4;

/** In pixels. A camera that reads a screen or a print needs some of its own for each module, and blurs what is finer. */
const LEAST_MODULE_PX = 3;

/** What is to be drawn: the values as Liquid gets them, and the document's HTML. */
type Drawn = {
  template: Template;
  /** The chosen variant's own values. What it holds looks as its author wanted. */
  base: FieldValues;
  values: FieldValues;
  html: string;
};

/** The fields for which a request gives something that is neither nothing nor what the variant has. */
function editedFields({
  template,
  base,
  values,
}: Omit<Drawn, "html">): [name: string, declaration: FieldDeclaration][] {
  return Object.entries(template.fields).filter(([name]) => values[name] !== null && values[name] !== base[name]);
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

/** In the place of an image: it is megabytes, and what is compared is only whether it is there. */
const IMAGE_STAND_IN = "data:,";

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };

/** Whether a value stands in a document as it is: then nobody has to try what the document would be without. */
function standsIn(body: string, value: unknown): boolean {
  const text = String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
  return body.includes(text.length < TELLING_CHARS ? `>${text}<` : text);
}

/** Tells whether the document would be the same without the value of a field. */
function effectTest({ template, values, html }: Drawn): (field: [string, FieldDeclaration]) => boolean {
  const light = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value !== null && template.fields[name]?.type === "image" ? IMAGE_STAND_IN : value,
    ]),
  );
  const body = html.slice(html.indexOf("<body>"));
  let whole: string | undefined;
  return ([name, declaration]) => {
    // Looking for megabytes takes longer than to compose the document without them.
    if (declaration.type !== "image" && standsIn(body, values[name])) return true;
    const other = declaration.required ? fieldType(declaration).sample(declaration) : null;
    whole ??= composeBody(template, light);
    return whole !== composeBody(template, { ...light, [name]: other });
  };
}

/** What can be told before a document is drawn: text that no font has, and content that the template has no place for. */
export function documentWarnings(drawn: Drawn): Issue[] {
  const { template, values } = drawn;
  const glyphs = Object.entries(template.fields).flatMap(([name, { type }]) => {
    const missing = type === "text" ? missingGlyphs(String(values[name] ?? ""), template.glyphs) : [];
    return missing.length === 0
      ? []
      : { path: pointer("/data", name), code: "glyph_missing", message: glyphMessage(missing) };
  });
  const hasEffect = effectTest(drawn);
  const content = editedFields(drawn).filter(([, { type }]) => CONTENT_TYPES.includes(type));
  const ignored = content.filter((field) => !hasEffect(field));
  return [...glyphs, ...ignored.map(([name]) => ignoredWarning(name))];
}

function ignoredWarning(name: string): Issue {
  const message = "The picture does not show this value: with these edits and this variant, it has no place for it.";
  return { path: pointer("/data", name), code: "field_ignored", message };
}

function fitWarning({ field, from, to, cut }: FitOutcome): Issue {
  const path = pointer("/data", field);
  if (!cut) return { path, code: "text_shrunk", message: `Made smaller to fit: ${to} px, designed for ${from} px.` };
  const { shown, of } = cut;
  return { path, code: "text_cut", message: `Cut to fit: ${shown} of ${of} characters are shown, at ${to} px.` };
}

/** Of several elements that show one text, the one that shows least of it. */
function worstOf(fits: FitOutcome[], field: string): FitOutcome | undefined {
  const severity = ({ from, to, cut }: FitOutcome) => (cut ? 2 - cut.shown / cut.of : 1 - to / from);
  return fits.filter((fit) => fit.field === field).toSorted((a, b) => severity(b) - severity(a))[0];
}

/** Of several elements that show one code, the smallest tells. */
function codeWarning(codes: CodeOutcome[], name: string): Issue | undefined {
  const room = Math.min(...codes.filter(({ field }) => field === name).map((code) => code.room));
  if (room >= LEAST_MODULE_PX) return undefined;
  const got = Math.floor(room * 10) / 10;
  const message = `Too fine for many readers: room for modules of ${got} px, want ${LEAST_MODULE_PX}. A shorter text has larger ones.`;
  return { path: pointer("/data", name), code: "qr_too_fine", message };
}

type Measured = Pick<Drawn, "template" | "base" | "values"> & { measured: Measurements };

/** What is told by a document that was measured: texts that had to be made smaller or cut, codes too fine, and content without room. */
export function layoutWarnings({ measured: { fits, codes, hidden }, ...drawn }: Measured): Issue[] {
  const edited = editedFields(drawn).map(([name]) => name);
  const shown = Object.keys(drawn.template.fields).filter((name) => !hidden.includes(name));
  const fitted = shown.flatMap((name) => {
    const fit = worstOf(fits, name);
    // A variant's own text that is made smaller is part of its design.
    const isTold = fit && (fit.cut || (fit.to < fit.from && edited.includes(name)));
    return (isTold ? fitWarning(fit) : codeWarning(codes, name)) ?? [];
  });
  return [...fitted, ...hidden.filter((name) => edited.includes(name)).map(ignoredWarning)];
}

/** In the order of the fields, so that the same input is told the same. */
export function inFieldOrder({ fields }: Template, warnings: Issue[]): Issue[] {
  const rank = new Map(Object.keys(fields).map((name, index) => [pointer("/data", name), index]));
  return warnings.toSorted((a, b) => (rank.get(a.path) ?? 0) - (rank.get(b.path) ?? 0));
}
