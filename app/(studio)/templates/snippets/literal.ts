/** How a language writes what cannot stand in its strings as it is. */
type Dialect = {
  /** Characters with an escape of their own, beside the common ones. */
  own?: Record<string, string>;
  /** The escape of any other, by its code point. */
  escaped: (codePoint: number) => string;
};

const COMMON: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * What nobody sees in an editor: control and format characters, line separators, what has no meaning. The joiners stay,
 * because emoji and Persian are spelled with them.
 */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u;

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

const utf16 = (codePoint: number) =>
  Array.from(
    { length: codePoint > 0xffff ? 2 : 1 },
    (_, unit) => `\\u${hex(String.fromCodePoint(codePoint).charCodeAt(unit), 4)}`,
  ).join("");

const utf32 = (codePoint: number) => (codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`);

const braced = (codePoint: number) => `\\u{${hex(codePoint, 1)}}`;

/** A string in double quotes. A lone half of a surrogate pair is no text, and becomes the replacement character. */
function quoted(text: string, { own = {}, escaped }: Dialect): string {
  const characters = Array.from(
    text.toWellFormed(),
    (char) => own[char] ?? COMMON[char] ?? (INVISIBLE.test(char) ? escaped(char.codePointAt(0) ?? 0) : char),
  );
  return `"${characters.join("")}"`;
}

/** A string of JSON, which is one of JavaScript too. */
export const jsonString = (text: string) => quoted(text, { escaped: utf16 });

export const pythonString = (text: string) => quoted(text, { escaped: utf32 });

export const goString = (text: string) => quoted(text, { escaped: utf32 });

/** `$` would begin a variable. */
export const phpString = (text: string) => quoted(text, { own: { $: "\\$" }, escaped: braced });

/** `#` would begin an expression. */
export const rubyString = (text: string) => quoted(text, { own: { "#": "\\#" }, escaped: braced });

/** A word of a POSIX shell. */
export const shellWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
