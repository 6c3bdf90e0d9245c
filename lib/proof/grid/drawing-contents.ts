import type { SeriesDeclaration } from "#lib/templates/fields/series.ts";
import type { FieldValues, Template } from "#lib/templates/template.ts";

/** The edits of one content. `mayNotFit` says that the request may be refused or cut. */
type DrawingContent = { content: string; data: FieldValues; mayNotFit?: boolean };

/** Code with lines and a number of them that no room holds, and with scripts that its family lacks. */
const CODES: Record<string, { text: string; language: string; lines?: string }> = {
  wide: {
    text: `const settings = { ${"retries: 5, waitMs: 200, ".repeat(8)}};\nstart(settings);`,
    language: "typescript",
    lines: "1",
  },
  tall: {
    text: Array.from({ length: 30 }, (_, line) => `    step_${line}()`).join("\n"),
    language: "python",
    lines: "28-30",
  },
  scripts: { text: "# 東京の気温 ที่วัดได้\nمرحبا = 'שלום'\nprint(مرحبا)  # नमस्ते\n", language: "python", lines: "2" },
};

/** Code that is wide, tall, and in several scripts, for each field of code. */
export function codeContents({ fields }: Template): DrawingContent[] {
  const names = Object.keys(fields).filter((name) => fields[name]?.type === "code");
  return names.flatMap((name) =>
    Object.entries(CODES).map(([code, value]) => ({
      content: `${name}:${code}`,
      data: { [name]: value },
      ...(code === "tall" && { mayNotFit: true }),
    })),
  );
}

const LONG_LABEL = "Quarter of the great flood, upper";

type Point = { label: string; value: number | null } | number;

type Series = Point[] | { labels: string[]; series: { name: string; values: number[] }[] };

/** Numbers that are missing, below zero, alone, many and large, and labels that no axis has room for. */
const SERIES: Record<string, Series> = {
  gaps: [null, 4, null, -3.5, -8, null, 6, 2].map((value, index) => ({ label: `W${index + 1}`, value })),
  single: [{ label: "2026", value: 42 }],
  flat: [0, 0, 0],
  many: Array.from({ length: 40 }, (_, index) => ({ label: LONG_LABEL, value: 9_876_543 * Math.sin(index / 4) })),
  scripts: ["月曜日", "الثلاثاء", "พฤหัสบดี", "शुक्रवार"].map((label, index) => ({ label, value: 10 + index * 7 })),
  several: {
    labels: ["Mon", "Tue", "Wed"],
    series: [LONG_LABEL, "東京", "مبيعات"].map((name, index) => ({ name, values: [5, 6 + index / 10, 6.1] })),
  },
};

const WITH_LONG_NAMES = ["many", "several"];

/** As much of a series as a field takes, with the nearest numbers that it takes. */
function withinLimits(value: Series, { min, max, maxPoints, maxSeries }: SeriesDeclaration): Series {
  const clamp = (number: number) => Math.min(Math.max(number, min), max);
  if (!Array.isArray(value))
    return {
      ...value,
      series: value.series.slice(0, maxSeries).map((one) => ({ ...one, values: one.values.map(clamp) })),
    };
  return value.slice(0, maxPoints).map((point) => {
    if (typeof point === "number") return clamp(point);
    return point.value === null ? point : { ...point, value: clamp(point.value) };
  });
}

/** Series that are hard to draw, for each field of type series. */
export function seriesContents({ fields }: Template): DrawingContent[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.type === "series"
      ? Object.entries(SERIES).map(([kind, value]) => ({
          content: `${name}:${kind}`,
          data: { [name]: withinLimits(value, field) },
          ...(WITH_LONG_NAMES.includes(kind) && { mayNotFit: true }),
        }))
      : [],
  );
}
