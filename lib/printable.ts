/** Characters that terminals obey, or that change the order of what stands around them, except for the end of a line. */
const OBEYED = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Writes such characters as JSON writes control characters (`\u001b`). JSON stays the same JSON. */
export function printable(text: string): string {
  return text.replace(OBEYED, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** JSON on one line that is safe to print at a terminal. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}
