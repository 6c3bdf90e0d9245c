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

const isText = (cell: string) => cell !== "" && typeof readCell(cell) === "string";

function readPoint(cells: string[]): EditValue {
  const value = readCell(cells.at(-1) ?? "");
  return cells.length === 1 ? value : { label: cells.slice(0, -1).join(", "), value };
}

/** Reads what {@link writeSeriesText} writes. An empty text leaves the field out. */
export function readSeriesText(text: string): EditValue {
  const rows = text
    .split("\n")
    .filter((row) => row.trim() !== "")
    .map((row) => row.split(/[,;\t]/).map((cell) => cell.trim()));
  const [head = [], ...body] = rows;
  if (rows.length === 0) return "";
  const names = head.slice(1);
  if (!names.some(isText)) return rows.map(readPoint);
  return {
    labels: body.map(([label = ""]) => label),
    series: names.map((name, index) => ({
      name,
      values: body.map((cells) => readCell(cells[index + 1] ?? "")),
    })),
  };
}
