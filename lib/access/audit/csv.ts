/** What a spreadsheet may read as the beginning of a formula, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * A cell in quotation marks, also where RFC 4180 needs none: a spreadsheet that separates cells by semicolons would make a cell of
 * the text after one. An apostrophe before a formula makes it a text. Null is an empty cell without quotation marks.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function cell(text: string | null): string {
  if (text === null) return "";
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** A line of CSV with its end (RFC 4180). */
export function csvLine(cells: (string | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}
