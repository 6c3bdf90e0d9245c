/** The characters of a token (RFC 9110). */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const WORD = `(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;

/** A name with an optional value. White space is matched only after a token, so that the expression never backtracks. */
const pair = (name: string, value: string) => `${name}[ \\t]*(?:=[ \\t]*(?:${value}[ \\t]*)?)?`;

/** One preference (RFC 7240) with its parameters, which are ignored, and the comma after it. */
const PREFERENCE = new RegExp(
  `(?:${pair(`(${TOKEN})`, `(${WORD})`)}(?:;[ \\t]*(?:${pair(TOKEN, WORD)})?)*)?(?:,[ \\t]*|$)`,
  "y",
);

/** The header of an answer that honours strict handling. */
export const STRICT_APPLIED = { name: "Preference-Applied", value: "handling=strict" };

function unquoted(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, "$1") : word;
}

/** The preferences of a header in lower case. The first of a repeated preference counts. A malformed header has none. */
function preferencesOf(text: string): Map<string, string> {
  const header = text.trim();
  const preferences = new Map<string, string>();
  PREFERENCE.lastIndex = 0;
  while (PREFERENCE.lastIndex < header.length) {
    const match = PREFERENCE.exec(header);
    if (!match) return new Map();
    const [, name, value = ""] = match;
    const key = name?.toLowerCase();
    if (key !== undefined && !preferences.has(key)) preferences.set(key, unquoted(value).toLowerCase());
  }
  return preferences;
}

/** Whether a client prefers an error to a picture with warnings (`Prefer: handling=strict`, RFC 7240). */
export function prefersStrict({ headers }: Request): boolean {
  return preferencesOf(headers.get("prefer") ?? "").get("handling") === "strict";
}
