import { directionIn } from "#lib/type/text/bidi/bidi.ts";
import { keepLtrParts } from "#lib/type/text/bidi/ltr-parts.ts";
import { isHanLanguage } from "#lib/type/text/han.ts";
import { hyphenate } from "#lib/type/text/hyphenate.ts";
import { detectDocumentLanguage, detectLanguage, isClear } from "#lib/type/text/language.ts";
import type { TextSettings } from "#lib/type/text/runs.ts";
import { detectScript, isRtlLanguage, isWrittenIn } from "#lib/type/text/scripts.ts";
import { bindSpaces } from "#lib/type/text/spaces.ts";
import { type FieldDeclaration, textOf } from "./fields/field-types.ts";
import { leavesOf } from "./lists/leaf-fields.ts";
import type { FieldValues } from "./template.ts";

type Fields = Record<string, FieldDeclaration>;
type TextField = {
  /** The id of the leaf. */
  name: string;
  text: string;
  isProse: boolean;
  hyphenate: boolean | undefined;
  kind: string;
  weight: number;
};

/** A text of an item comes after those of the template that are required as much. */
const ITEM_DISCOUNT = 0.5;

/** The texts that have a value. The required ones come first, and among them names last: the first one leads. */
function textsOf(fields: Fields, values: FieldValues): TextField[] {
  return leavesOf(fields, values)
    .flatMap(({ id, declaration: field, value, item }): TextField[] => {
      const text = textOf(field, value);
      if (text === undefined || (field.type !== "text" && field.type !== "emphasis")) return [];
      const kind = field.type === "text" ? field.kind : "words";
      const { hyphenate: divides } = field;
      const isRequired = item ? item.isRequired : field.required;
      const weight = Number(isRequired) * 2 + Number(kind === "words") - (item ? ITEM_DISCOUNT : 0);
      return [{ name: id, text, isProse: kind === "words", hyphenate: divides, kind, weight }];
    })
    .toSorted((a, b) => b.weight - a.weight);
}

/** The name of the field of type `language`, if the template has one. */
export function languageField(fields: Fields): string | undefined {
  return Object.keys(fields).find((name) => fields[name]?.type === "language");
}

/** Whether a language is not written in the letters of a text. Latin letters are at home in every language. */
function isForeign(text: string, language: unknown): boolean {
  const script = detectScript(text);
  return typeof language === "string" && script !== "" && script !== "latin" && !isWrittenIn(language, script);
}

/** Whether a text is in letters that a language is written in. */
function isAtHome(text: string, language: unknown): boolean {
  const script = detectScript(text);
  return typeof language === "string" && script !== "" && isWrittenIn(language, script);
}

/**
 * The language that replaces the one which a variant states: undefined where that stays. An edit that states none makes it unsure where it
 * replaces the leading text by one whose words or script tell another language. A name tells nothing. Where one leads, the words of
 * another edited text count, or that no text is left in the letters of the stated language.
 */
export function replacedLanguage(fields: Fields, base: FieldValues, values: FieldValues): string | undefined {
  const texts = textsOf(fields, values);
  const isEdited = ({ name, text }: TextField) => text !== base[name];
  const [leading] = texts;
  const stated = base[languageField(fields) ?? ""];
  if (!leading || !isEdited(leading)) return undefined;
  const telling = leading.isProse ? leading : texts.find((field) => field.isProse && isEdited(field));
  const isTold = telling !== undefined && (isClear(telling.text) || isForeign(telling.text, stated));
  const isLost = !leading.isProse && !texts.some(({ kind, text }) => kind !== "code" && isAtHome(text, stated));
  if (!isTold && !isLost) return undefined;
  const { text, isProse } = isTold ? telling : leading;
  // Kanji alone are no reason to leave Japanese, and kana in another text are one to choose it.
  const isHan = typeof stated === "string" && isHanLanguage(stated);
  return detectLanguage(text, isHan ? stated : detectDocumentLanguage(texts), isProse);
}

/** The text without the characters that stand for the ends of a mark. */
function withoutMarks(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, "");
}

/**
 * Puts in the hyphens and spaces of a language. Codes have none, and names are not hyphenated. Telephone numbers and the like keep
 * their order in all of them.
 */
function typesetField(field: TextField | undefined, text: string, language: string): string {
  if (!field) return text;
  if (field.kind === "code") return keepLtrParts(text);
  const bound = keepLtrParts(bindSpaces(text, language));
  const isHyphenated = field.hyphenate ?? field.kind === "words";
  return isHyphenated ? hyphenate(bound, language, field.hyphenate === true) : bound;
}

/** Finds how the texts of a document are written: its language and direction, and the language of each text. */
export function readTextSettings(fields: Fields, values: FieldValues): TextSettings {
  const texts = textsOf(fields, values);
  const stated = values[languageField(fields) ?? ""];
  const isStated = typeof stated === "string";
  const language = isStated ? stated : detectDocumentLanguage(texts);
  const languages = new Map<string, string>();
  // Of fields with the same text, the first one decides how it is written.
  const byText = new Map(texts.toReversed().map((field) => [field.text, field]));
  const detect = (text: string) => {
    const known = languages.get(text);
    if (known !== undefined) return known;
    const found = detectLanguage(text, language, byText.get(text)?.isProse ?? true);
    languages.set(text, found);
    return found;
  };
  const byName = new Map(texts.map(({ name, text }) => [name, text]));
  const textOf = (name: string) => byName.get(name) ?? "";
  const numbers = leavesOf(fields, values).flatMap(({ value }) => (typeof value === "number" ? [value] : []));
  const whole = new Set([...texts.map(({ text }) => text), ...numbers.map(String)]);
  const leading = texts[0] && directionIn(texts[0].text, language);
  return {
    language,
    direction: isStated ? (isRtlLanguage(stated) ? "rtl" : "ltr") : (leading ?? "ltr"),
    isWhole: (text) => whole.has(text),
    typeset: (text) => typesetField(byText.get(withoutMarks(text)), text, detect(withoutMarks(text))),
    languageOf: detect,
    languageOfField: (name) => detect(textOf(name)),
    textOf,
  };
}
