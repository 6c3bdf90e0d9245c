import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { UsageError } from "#scripts/run-command.ts";

/** One row of a table. */
export type Row = {
  /** Counted from 1, without the header. */
  row: number;
  /** The line of the file where the row ends, counted from 1. */
  line: number;
  /** Values by column: texts of a CSV file, any values of JSON lines. Empty cells of a CSV file are absent. */
  cells: Record<string, unknown>;
  /** Why the row cannot be used. */
  fault?: string;
};

/** `isText` says that all cells are texts, which have to be converted. */
export type Table = { columns: string[]; rows: Row[]; isText: boolean };

const JSON_LINES = [".jsonl", ".ndjson"];

/** The separators that spreadsheets write: the semicolon where the comma is the decimal mark. */
const DELIMITERS = [",", ";", "\t"];

/** Reads UTF-8, or UTF-16 with a byte order mark, as some spreadsheets write. @throws UsageError for anything else */
function decode(bytes: Buffer, file: string): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} is not UTF-8. Save it as "CSV UTF-8".`);
  }
}

/** The separator that is most frequent in the header, outside quotes. */
function delimiterOf(text: string): string {
  const header = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? "").replaceAll(/"(?:[^"]|"")*"/g, "");
  const countOf = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, next) => (countOf(next) > countOf(best) ? next : best));
}

function requireColumns(columns: string[], file: string): void {
  const unnamed = columns.indexOf("");
  if (unnamed >= 0) throw new UsageError(`Column ${unnamed + 1} of ${file} has no name. Name it in the first line.`);
  const repeated = columns.find((name, index) => columns.indexOf(name) < index);
  if (repeated !== undefined) throw new UsageError(`${file} has the column "${repeated}" twice, want it once.`);
}

function csvRow({ cells, columns, row, line }: { cells: string[]; columns: string[]; row: number; line: number }): Row {
  const filled = columns.flatMap((name, index) => (cells[index]?.trim() ? [[name, cells[index]] as const] : []));
  const isRagged = cells.slice(columns.length).some((cell) => cell.trim() !== "");
  const fault = `Got ${cells.length} cells, want ${columns.length}. Put quotes around a cell with a separator in it.`;
  return { row, line, cells: Object.fromEntries(filled), ...(isRagged && { fault }) };
}

type CsvRecord = { record: string[]; info: { lines: number } };

function readCsv(text: string, file: string): Table {
  const options = { delimiter: delimiterOf(text), relax_column_count: true, skip_empty_lines: true, info: true };
  try {
    const records: CsvRecord[] = parse(text.replaceAll(/\r\n?/g, "\n"), options) as never;
    const columns = records[0]?.record.map((name) => name.trim()) ?? [];
    requireColumns(columns, file);
    const filled = records.slice(1).filter(({ record }) => record.some((cell) => cell.trim() !== ""));
    const rows = filled.map(({ record, info }, index) =>
      csvRow({ cells: record, columns, row: index + 1, line: info.lines }),
    );
    return { columns, rows, isText: true };
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`${file} is not CSV: ${error.message}.`);
    throw error;
  }
}

function jsonRow(text: string, place: { row: number; line: number }): Row {
  try {
    const cells: unknown = JSON.parse(text);
    if (typeof cells === "object" && cells !== null && !Array.isArray(cells))
      return { ...place, cells: cells as Row["cells"] };
    return { ...place, cells: {}, fault: "Want a JSON object in each line." };
  } catch (error) {
    return { ...place, cells: {}, fault: `The line is not JSON: ${error instanceof Error ? error.message : error}.` };
  }
}

function readJsonLines(text: string): Table {
  const lines = text.split(/\r?\n/).map((content, index) => ({ content, line: index + 1 }));
  const rows = lines
    .filter(({ content }) => content.trim() !== "")
    .map(({ content, line }, index) => jsonRow(content, { row: index + 1, line }));
  return { columns: [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))], rows, isText: false };
}

/**
 * Reads a table: JSON lines for a file that ends in `.jsonl` or `.ndjson`, else CSV with a header.
 * @throws UsageError when nothing of the file can be used. A fault of one row is in that row.
 */
export function readRows(file: string): Table {
  const text = decode(readFileSync(file), file);
  const table = JSON_LINES.includes(extname(file).toLowerCase()) ? readJsonLines(text) : readCsv(text, file);
  if (table.rows.length === 0) throw new UsageError(`${file} has no rows.`);
  return table;
}
