/** Characters that move the cursor, change colours or change the writing direction on a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const GAP = "  ";

/** A text without terminal control characters. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}

/** "2026-03-01 09:30" in UTC, or a dash. */
export function shortMoment(moment: Date | null): string {
  return moment ? moment.toISOString().slice(0, 16).replace("T", " ") : "-";
}

/** Aligned columns with headings. */
export function table(headings: string[], rows: string[][]): string {
  const cells = [headings, ...rows].map((row) => row.map(printable));
  // `Math.max` with an argument for each row fails beyond 125,000 rows.
  const widths = headings.map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, [...(row[column] ?? "")].length), 0),
  );
  const pad = (text: string, column: number) => text + " ".repeat((widths[column] ?? 0) - [...text].length);
  return cells.map((row) => row.map(pad).join(GAP).trimEnd()).join("\n");
}
