/**
 * The place before what a spreadsheet may read as the beginning of a formula, full-width forms included: at the beginning of a cell, and
 * after a semicolon. Where the system separates lists by semicolons, as in most of Europe, a spreadsheet begins a cell there. Quotation
 * marks do not prevent that: it heeds them only at the beginning of its own cells, and `"id","a;=1"` has the cells `id,"a` and `=1"`.
 */
const BEFORE_FORMULA = /(^|;"*)(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/g;

/**
 * A cell in quotation marks. An apostrophe before a formula makes it a text. Null is an empty cell without quotation marks.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function cell(text: string | null): string {
  if (text === null) return "";
  return `"${text.replace(BEFORE_FORMULA, "$1'").replaceAll('"', '""')}"`;
}

/** A line of CSV with its end (RFC 4180). */
export function csvLine(cells: (string | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}
