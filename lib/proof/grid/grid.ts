import type { HanRegion } from "#lib/proof/oracle/face-faults.ts";
import { CONTENT_TYPES } from "#lib/templates/fields/field-types.ts";
import type { FieldValues, Template, Variant } from "#lib/templates/template.ts";
import { codeContents, seriesContents } from "./drawing-contents.ts";
import { COLORS, IMAGES } from "./images.ts";
import { listEnds, listLengths, listTexts, type TextField, turned } from "./lists.ts";
import type { Sample } from "./samples/sample.ts";
import { SAMPLES, sampleOf } from "./samples.ts";
import { listExtremes, valueContents } from "./value-contents.ts";

/** One picture of the grid: what is asked for, and what its texts want. */
export type Cell = {
  template: string;
  variant: string;
  /** Names the content, such as `arabic` or `empty:author`. */
  content: string;
  data: FieldValues;
  region?: HanRegion;
  /** The template writes its own words in the language of the variant, because it does not offer that of the texts. */
  keepsWords?: boolean;
  /** Whether the request may be refused or cut, because it is beyond what a design can hold. */
  mayNotFit?: boolean;
};

type Content = Omit<Cell, "template" | "variant">;

/** An ordinary text of any length, for the longest one that a field declares. */
const PLAIN =
  "Whoever keeps a garden near the sea learns patience first, then salt, and only much later anything about roses; the wind decides what may grow tall, and a wall of stones does more for a pear tree than any advice. ";

const LONG_WORD = "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetzesentwurfsverfasser";

const LONG_WORD_CHARS = 80;

/** Of an empty field, the share of its longest text that a sample aims at. */
const AIMED_SHARE = 0.6;

/** Samples of which also the first field alone is sent, so that the variant's own texts stand beside another script. */
const LEADING = ["arabic", "hebrew", "thai", "cyrillic", "japanese", "devanagari"];

function textFields(template: Template): [name: string, field: TextField][] {
  return Object.entries(template.fields).flatMap(([name, field]) =>
    field.type === "text" || field.type === "emphasis" ? [[name, field]] : [],
  );
}

const lengthOf = (text: string) => Array.from(text.normalize("NFC")).length;

/** The text nearest in length to the one that the design shows, within what the field allows. */
function pick(texts: string[], { maxLength }: TextField, own: unknown): string {
  const aim = typeof own === "string" && own !== "" ? lengthOf(own) : maxLength * AIMED_SHARE;
  const allowed = texts.filter((text) => lengthOf(text) <= maxLength);
  const distance = (text: string) => Math.abs(lengthOf(text) - aim);
  return (
    allowed.toSorted((a, b) => distance(a) - distance(b))[0] ??
    Array.from(texts[0] ?? "x")
      .slice(0, maxLength)
      .join("")
  );
}

/** Fields whose value depends on another one's, such as words that are marked in a text, would have no effect. */
function isMark(name: string): boolean {
  return /highlight|mark/i.test(name);
}

/** A text for a field, and for which item of a list: items get different ones. */
type TextFor = (field: TextField, own: unknown, index: number) => string;

function textsOf(template: Template, variant: Variant, textFor: TextFor): FieldValues {
  const texts = textFields(template).map(([name, field]) => [
    name,
    isMark(name) ? "" : textFor(field, variant.values[name], 0),
  ]);
  return { ...Object.fromEntries(texts), ...listTexts(template, variant, textFor) };
}

function languageOf({ fields }: Template, { language }: Sample): FieldValues {
  const field = fields.language;
  if (field?.type === "select") return field.options.includes(language) ? { language } : {};
  return (field?.type as string) === "language" ? { language } : {};
}

function sampleContent(template: Template, variant: Variant, sample: Sample): Content {
  const data = textsOf(template, variant, (field, own, index) => pick(turned(sample.texts, index), field, own));
  const { name, region } = sample;
  const language = languageOf(template, sample);
  const keepsWords = template.fields.language !== undefined && language.language === undefined;
  return { content: name, data: { ...data, ...language }, keepsWords, ...(region && { region }) };
}

function leadingContent(template: Template, variant: Variant, sample: Sample): Content[] {
  const [name, field] = textFields(template).find(([, { required }]) => required) ?? [];
  if (name === undefined || !field) return [];
  return [{ content: `${sample.name}:${name}`, data: { [name]: pick(sample.texts, field, variant.values[name]) } }];
}

const longest = ({ maxLength }: TextField) =>
  `${PLAIN.repeat(Math.ceil(maxLength / PLAIN.length))
    .slice(0, maxLength - 1)
    .trimEnd()}.`.padEnd(maxLength, ".");

const shortest = () => "Q";

function limits(template: Template, variant: Variant): Content[] {
  const word = ({ maxLength }: TextField) => LONG_WORD.slice(0, Math.min(LONG_WORD_CHARS, maxLength));
  return [
    { content: "own", data: {} },
    { content: "one-character", data: textsOf(template, variant, shortest) },
    { content: "longest", data: textsOf(template, variant, longest) },
    { content: "long-word", data: textsOf(template, variant, word), mayNotFit: true },
  ];
}

/** Each optional field empty, and all of them. */
function empties({ fields }: Template): Content[] {
  const optional = Object.entries(fields)
    .filter(([, { type, required }]) => !required && (CONTENT_TYPES.includes(type) || type === "number"))
    .map(([name]) => name);
  const each = optional.map((name) => ({ content: `empty:${name}`, data: { [name]: null } }));
  return [...each, { content: "empty:all", data: Object.fromEntries(optional.map((name) => [name, null])) }];
}

async function imageContents({ fields }: Template): Promise<Content[]> {
  const names = Object.keys(fields).filter((name) => fields[name]?.type === "image");
  if (names.length === 0) return [];
  return await Promise.all(
    IMAGES.map(async ({ name, make }) => {
      const image = await make();
      return { content: `image:${name}`, data: Object.fromEntries(names.map((field) => [field, image])) };
    }),
  );
}

function colorContents({ fields }: Template): Content[] {
  const names = Object.keys(fields).filter((name) => fields[name]?.type === "color");
  return names.flatMap((field) =>
    COLORS.map(({ name, value }) => ({ content: `${field}:${name}`, data: { [field]: value } })),
  );
}

async function contentsOf(template: Template, variant: Variant): Promise<Content[]> {
  return [
    ...limits(template, variant),
    ...SAMPLES.map((sample) => sampleContent(template, variant, sample)),
    ...LEADING.flatMap((name) => leadingContent(template, variant, sampleOf(name))),
    ...empties(template),
    ...(await imageContents(template)),
    ...colorContents(template),
    ...codeContents(template),
    ...listLengths(template, variant),
    ...listEnds(template, variant, { longest, shortest }),
    ...seriesContents(template),
    ...valueContents(template, variant),
    ...listExtremes(template, variant),
  ];
}

/** Every picture of a template: each variant with each content. */
export async function wholeGrid(template: Template): Promise<Cell[]> {
  const rows = Object.entries(template.variants).map(async ([variant, values]) =>
    (await contentsOf(template, values)).map((content) => ({ template: template.slug, variant, ...content })),
  );
  return (await Promise.all(rows)).flat();
}

/** How many templates draw the same content in a reduced grid. */
const TEMPLATES_PER_CONTENT = 2;

const COLOR_NAMES = COLORS.map(({ name }) => name);

/**
 * The contents that one picture stands for: the same script that leads in any field (`arabic:` of `arabic:title`) and, of each
 * template, the same done to any of its fields (`empty:`, `least:`, `most:`, or another colour).
 */
function kindOf({ template, content }: Cell): string {
  const [first = "", second] = content.split(":");
  if (content === "empty:all" || second === undefined) return content;
  if (LEADING.some((name) => name === first)) return `${first}:`;
  if (["empty", "least", "most"].includes(first)) return `${template} ${first}:`;
  return first !== "image" && COLOR_NAMES.includes(second) ? `${template} color` : content;
}

/**
 * The pictures that show most for the time they take: every variant with its own content, and one picture of each other kind of content
 * with two of the templates that have it. Templates, variants and fields take turns. Of a single template, every content is drawn once.
 */
export async function reducedGrid(templates: Template[]): Promise<Cell[]> {
  const cells = (await Promise.all(templates.map(wholeGrid))).flat();
  const own = cells.filter(({ content }) => content === "own");
  const others = cells.filter(({ content }) => content !== "own");
  const kinds = Object.values(Object.groupBy(others, templates.length === 1 ? ({ content }) => content : kindOf));
  const chosen = kinds.flatMap((same = [], turn) => {
    const slugs = [...new Set(same.map(({ template }) => template))];
    const step = Math.max(1, slugs.length / TEMPLATES_PER_CONTENT);
    const count = Math.min(slugs.length, TEMPLATES_PER_CONTENT);
    return Array.from({ length: count }, (_, index) => {
      const slug = slugs[(turn + Math.floor(index * step)) % slugs.length];
      const rows = same.filter(({ template }) => template === slug);
      return rows[turn % rows.length];
    });
  });
  return [...own, ...chosen.filter((cell) => cell !== undefined)];
}
