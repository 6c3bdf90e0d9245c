/** RFC 9110: what a name may be made of. */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const WORD = `(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;

/** A name, perhaps with a value. White space is only ever taken behind what it follows: read one way alone, nothing is read twice. */
const pair = (name: string, value: string) => `${name}[ \\t]*(?:=[ \\t]*(?:${value}[ \\t]*)?)?`;

/** RFC 7240: one preference with its parameters, which nothing here looks at, and the comma behind it. */
const PREFERENCE = new RegExp(
  `(?:${pair(`(${TOKEN})`, `(${WORD})`)}(?:;[ \\t]*(?:${pair(TOKEN, WORD)})?)*)?(?:,[ \\t]*|$)`,
  "y",
);

/** What an answer says that was given as it was preferred. */
export const STRICT_APPLIED = { name: "Preference-Applied", value: "handling=strict" };

function unquoted(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, "$1") : word;
}

/** The preferences of a header, in lower case; of one that is given twice, the first. None where the header is malformed. */
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

/** Whether a client would rather have an error than a picture with warnings (`Prefer: handling=strict`, RFC 7240). */
export function prefersStrict({ headers }: Request): boolean {
  return preferencesOf(headers.get("prefer") ?? "").get("handling") === "strict";
}
