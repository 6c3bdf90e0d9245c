import type { EditValue } from "../edits.ts";

type Series = { name: string; values: (number | null)[] };

/** A series as lines of text: a label and a number for each series, parted by commas. Names are in the first line. */
export function writeSeriesText(value: EditValue | undefined): string {
  if (Array.isArray(value)) return value.map(writePoint).join("\n");
  if (typeof value !== "object") return "";
  const { labels = [], series = [] } = value as unknown as { labels?: string[]; series?: Series[] };
  const rows = (series[0]?.values ?? []).map((_, at) =>
    [labels[at] ?? "", ...series.map(({ values }) => values[at] ?? "")].join(", "),
  );
  return [["", ...series.map(({ name }) => name ?? "")].join(", "), ...rows].join("\n");
}

function writePoint(point: unknown): string {
  if (point === null || point === "") return ", ";
  if (typeof point !== "object") return String(point);
  const { label, value } = point as { label?: string; value?: number | null };
  return `${label ?? ""}, ${value ?? ""}`;
}

/** A cell as it is sent: a number, nothing for a missing one, or a text for the service to name as a fault. */
function readCell(cell: string): number | string {
  const number = Number(cell);
  return cell === "" || !Number.isFinite(number) ? cell : number;
}

/** Numbers as spreadsheets write them: with separators of thousands, a decimal comma, or both. */
const LOCAL_NUMBER = /^[-+]?(?:\d+,\d+|\d{1,3}(?:[,'’\s]\d{3})+(?:\.\d+)?|\d{1,3}(?:[.'’\s]\d{3})+(?:,\d+)?)$/;

/** Whether a cell can be the name of a series. */
const isText = (cell: string) => cell !== "" && typeof readCell(cell) === "string" && !LOCAL_NUMBER.test(cell);

/** A semicolon with a number, or nothing, behind it. */
const SEMICOLON_AND_NUMBER = /;\s*[-+\d.,eE]*$/;

/** What parts the cells of a row. Tables that are pasted have tabs, and commas in their numbers. */
function separatorOf(row: string): string {
  if (row.includes("\t")) return "\t";
  return row.includes(";") && (!row.includes(",") || SEMICOLON_AND_NUMBER.test(row)) ? ";" : ",";
}

function cellsOf(row: string): string[] {
  return row.split(separatorOf(row)).map((cell) => cell.trim());
}

const isDigits = (cell: string) => /^\d[\d.]*$/.test(cell);

/** Whether digits follow a comma directly, and a number precedes it: a part of a number such as 1,234. */
function continuesNumber(cell: string, before: string): boolean {
  return isDigits(cell) && isDigits(before.trimStart().replace(/^[-+]/, ""));
}

/** The label and the number of a point. A number with commas, behind a label, stays whole: as cells, 1,234 would be 234. */
function pointCells(row: string): string[] {
  if (separatorOf(row) !== ",") return cellsOf(row);
  const cells = row.trimEnd().split(",");
  let start = cells.length - 1;
  while (start > 1 && continuesNumber(cells[start] ?? "", cells[start - 1] ?? "")) start -= 1;
  return [...cells.slice(0, start), cells.slice(start).join(",")].map((cell) => cell.trim());
}

function readPoint(row: string): EditValue {
  const cells = pointCells(row);
  const value = readCell(cells.at(-1) ?? "");
  return cells.length === 1 ? value : { label: cells.slice(0, -1).join(", "), value };
}

/** The value of a series in a row. Cells that are left over go into the last value, which the service then refuses. */
function valueIn(cells: string[], index: number, isLast: boolean): number | string {
  return readCell(isLast ? cells.slice(index + 1).join(", ") : (cells[index + 1] ?? ""));
}

/** Reads what {@link writeSeriesText} writes. An empty text leaves the field out. */
export function readSeriesText(text: string): EditValue {
  const rows = text.split("\n").filter((row) => row.trim() !== "");
  const [head, ...body] = rows;
  if (head === undefined) return "";
  const names = cellsOf(head).slice(1);
  if (!names.some(isText)) return rows.map(readPoint);
  const cells = body.map(cellsOf);
  return {
    labels: cells.map(([label = ""]) => label),
    series: names.map((name, index) => ({
      name,
      values: cells.map((row) => valueIn(row, index, index === names.length - 1)),
    })),
  };
}
