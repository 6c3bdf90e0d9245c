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

/** Whether a cell can be the name of a series: not where it is a number as spreadsheets write it, such as 1,234. */
const isText = (cell: string) =>
  cell !== "" && typeof readCell(cell) === "string" && !/^[-+]?\d[\d.,'’\s]*$/.test(cell);

/** A number with commas in it, behind a label and a comma: for the service to refuse. Read as cells, 1,234 would be 234. */
const LOCAL_NUMBER = /^(.+?),\s*([-+]?\d[\d,]*,\d[\d.]*)$/;

/** A semicolon with a number, or nothing, behind it. */
const SEMICOLON_AND_NUMBER = /;\s*[-+\d.,eE]*$/;

/** What parts the cells of a row. Tables that are pasted have tabs, and commas in their numbers. */
function separatorOf(row: string): string {
  if (row.includes("\t")) return "\t";
  return row.includes(";") && (!row.includes(",") || SEMICOLON_AND_NUMBER.test(row)) ? ";" : ",";
}

function cellsOf(row: string): string[] {
  const separator = separatorOf(row);
  const [, label, number] = separator === "," ? (LOCAL_NUMBER.exec(row.trim()) ?? []) : [];
  const cells = label !== undefined && number !== undefined ? [...label.split(","), number] : row.split(separator);
  return cells.map((cell) => cell.trim());
}

function readPoint(cells: string[]): EditValue {
  const value = readCell(cells.at(-1) ?? "");
  return cells.length === 1 ? value : { label: cells.slice(0, -1).join(", "), value };
}

/** The value of a series in a row. Cells that are left over are a fault of the last one. */
function valueIn(cells: string[], index: number, isLast: boolean): number | string {
  return readCell(isLast ? cells.slice(index + 1).join(", ") : (cells[index + 1] ?? ""));
}

/** Reads what {@link writeSeriesText} writes. An empty text leaves the field out. */
export function readSeriesText(text: string): EditValue {
  const rows = text
    .split("\n")
    .filter((row) => row.trim() !== "")
    .map(cellsOf);
  const [head = [], ...body] = rows;
  if (rows.length === 0) return "";
  const names = head.slice(1);
  if (!names.some(isText)) return rows.map(readPoint);
  return {
    labels: body.map(([label = ""]) => label),
    series: names.map((name, index) => ({
      name,
      values: body.map((cells) => valueIn(cells, index, index === names.length - 1)),
    })),
  };
}
