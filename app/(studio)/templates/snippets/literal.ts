/** The escapes of a language. */
type Dialect = {
  /** Escapes of single characters, beside the common ones. */
  own?: Record<string, string>;
  /** The escape of a code point. */
  escaped: (codePoint: number) => string;
};

const COMMON: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Characters that are invisible in an editor: control and format characters, separators, unassigned ones. The joiners
 * are kept, because emoji and Persian need them.
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

/** A string in double quotes. Lone surrogates become the replacement character. */
function quoted(text: string, { own = {}, escaped }: Dialect): string {
  const characters = Array.from(
    text.toWellFormed(),
    (char) => own[char] ?? COMMON[char] ?? (INVISIBLE.test(char) ? escaped(char.codePointAt(0) ?? 0) : char),
  );
  return `"${characters.join("")}"`;
}

/** A string literal of JSON and JavaScript. */
export const jsonString = (text: string) => quoted(text, { escaped: utf16 });

export const pythonString = (text: string) => quoted(text, { escaped: utf32 });

export const goString = (text: string) => quoted(text, { escaped: utf32 });

/** Escapes `$`, which starts a variable. */
export const phpString = (text: string) => quoted(text, { own: { $: "\\$" }, escaped: braced });

/** Escapes `#`, which starts an expression. */
export const rubyString = (text: string) => quoted(text, { own: { "#": "\\#" }, escaped: braced });

/** A word of a POSIX shell. */
export const shellWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
