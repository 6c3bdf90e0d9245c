import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { AppError } from "#lib/errors.ts";
import { UsageError } from "#scripts/run-command.ts";
import { JsonRefused, parseJson } from "../parse-json.ts";

/** One row of a table. */
export type Row = {
  /** Counted from 1, without the header. */
  row: number;
  /** The line of the file where the row begins, counted from 1. */
  line: number;
  /** Values by column: texts of a CSV file, any values of JSON lines. An empty cell of a CSV file is absent. */
  cells: Record<string, unknown>;
  /** Why the row cannot be used. */
  fault?: string;
};

/** `isText` says that all cells are texts, which have to be converted. */
export type Table = { columns: string[]; rows: Row[]; isText: boolean };

const JSON_LINES = [".jsonl", ".ndjson"];

/** The separators that spreadsheets write: the semicolon where the comma is the decimal mark. */
const DELIMITERS = [",", ";", "\t"];

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(code === "ENOENT" ? `There is no file ${file}.` : `${file} cannot be read: ${code}.`);
  }
}

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

/** Columns that spreadsheets write beyond the last used one have neither a name nor a cell. They are left out. */
function usedColumns(header: string[], rows: string[][]): string[] {
  const isUsed = (index: number) => rows.some((cells) => (cells[index] ?? "").trim() !== "");
  const last = header.findLastIndex((name, index) => name !== "" || isUsed(index));
  return header.slice(0, last + 1);
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

/** A record, and the line where it ends. */
type CsvRecord = { record: string[]; info: { lines: number } };

/** What is wrong with a quote, and how to write it. */
const QUOTE_FAULTS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "A cell of this line begins with a quote and has no closing one.",
  INVALID_OPENING_QUOTE: "A cell has a quote, but does not begin with one.",
  CSV_INVALID_CLOSING_QUOTE: "A cell goes on after its closing quote.",
};
const QUOTE_HINT = 'Write a cell with quotes in it as "Ada ""Ace"" Lovelace".';

/** The line where a record begins: a cell in quotes may have several lines. */
function lineOf({ record, info }: CsvRecord): number {
  return info.lines - record.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);
}

/** @throws UsageError for a faulty quote, with the line where its record begins */
function parseRecords(text: string, file: string): CsvRecord[] {
  let read = 0;
  const options = { delimiter: delimiterOf(text), relax_column_count: true, skip_empty_lines: true, info: true };
  const onRecord = (record: string[], { lines }: { lines: number }) => {
    read = lines;
    return record;
  };
  try {
    return parse(text.replaceAll(/\r\n?/g, "\n"), { ...options, on_record: onRecord }) as never;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const fault = QUOTE_FAULTS[error.code];
    const reason = fault === undefined ? `${error.message}.` : `${fault} ${QUOTE_HINT}`;
    throw new UsageError(`${file} is not CSV from line ${read + 1}: ${reason}`);
  }
}

function readCsv(text: string, file: string): Table {
  const [first, ...records] = parseRecords(text, file);
  const filled = records.filter(({ record }) => record.some((cell) => cell.trim() !== ""));
  const header = first?.record.map((name) => name.trim()) ?? [];
  const columns = usedColumns(
    header,
    filled.map(({ record }) => record).filter(({ length }) => length <= header.length),
  );
  requireColumns(columns, file);
  const rows = filled.map((given, index) =>
    csvRow({ cells: given.record, columns, row: index + 1, line: lineOf(given) }),
  );
  return { columns, rows, isText: true };
}

function jsonRow(text: string, place: { row: number; line: number }): Row {
  try {
    const cells = parseJson(text);
    if (typeof cells === "object" && cells !== null && !Array.isArray(cells))
      return { ...place, cells: cells as Row["cells"] };
    return { ...place, cells: {}, fault: "Want a JSON object in each line." };
  } catch (error) {
    if (error instanceof JsonRefused || error instanceof AppError) return { ...place, cells: {}, fault: error.message };
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
  const text = decode(readBytes(file), file);
  const table = JSON_LINES.includes(extname(file).toLowerCase()) ? readJsonLines(text) : readCsv(text, file);
  if (table.rows.length === 0) throw new UsageError(`${file} has no rows.`);
  return table;
}
