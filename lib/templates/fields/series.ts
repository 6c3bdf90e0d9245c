import { z } from "zod";
import { commonDeclaration, type FieldType, show, type ValueFault, wrongType } from "./field-type.ts";
import { lengthOf, textField } from "./text.ts";

/** More points than a picture has room for, and few enough to be drawn in a few milliseconds. */
const MAX_POINTS = 400;
/** More series cannot be told apart by their colours. */
const MAX_SERIES = 6;
const MAX_LABEL_LENGTH = 40;
/** Beyond it, doubles are not exact, and no axis has such numbers. */
const MAX_VALUE = 1e15;
/** Numbers closer to zero are zero in every picture, and scales divide by them. */
const MIN_VALUE = 1e-100;

export const seriesDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("series"),
  maxPoints: z.number().int().min(1).max(MAX_POINTS).default(60),
  maxSeries: z.number().int().min(1).max(MAX_SERIES).default(4),
});

export type SeriesDeclaration = z.infer<typeof seriesDeclaration>;

/** Numbers by label. Every series has a number, or null for a missing one, for each label. */
export type SeriesValue = { labels: string[]; series: { name: string; values: (number | null)[] }[] };

/** Ends the reading of a value at its first fault. */
class SeriesFault extends Error {
  readonly fault: ValueFault;

  constructor(fault: ValueFault) {
    super(fault.message);
    this.fault = fault;
  }
}

function refuse(message: string, code = "invalid_series"): never {
  throw new SeriesFault({ code, message });
}

/** Forms and tables send an empty text for a missing number. */
function readNumber(value: unknown, place: string): number | null {
  if (value === null || value === "") return null;
  if (typeof value !== "number" || !Number.isFinite(value))
    refuse(`Got ${show(value)} in ${place}, want a number or null.`);
  if (Math.abs(value) > MAX_VALUE)
    refuse(`Got ${value} in ${place}, want a number from -${MAX_VALUE} to ${MAX_VALUE}.`);
  return Math.abs(value) < MIN_VALUE ? 0 : value;
}

function readLabel(value: unknown, place: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") refuse(`Got ${show(value)} as a label in ${place}, want a string.`);
  const length = lengthOf(value, MAX_LABEL_LENGTH);
  if (length > MAX_LABEL_LENGTH) refuse(`Got ${length} characters in ${place}, want at most ${MAX_LABEL_LENGTH}.`);
  if (/[\p{Cc}\u2028-\u202e\u2066-\u2069\ufffe\uffff]/u.test(value) || !value.isWellFormed())
    refuse(`Got a control character in ${place}, want plain text.`);
  return value.normalize("NFC").trim();
}

function requireKeys(value: object, known: string[], place: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) refuse(`Got the key ${show(unknown)} in ${place}, want ${known.join(", ")}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads `[3, null, { "label": "Mon", "value": 4 }]`. */
function readPoints(points: unknown[]): SeriesValue {
  const read = points.map((point, index) => {
    const place = `point ${index + 1}`;
    if (!isObject(point)) return { label: "", value: readNumber(point, place) };
    requireKeys(point, ["label", "value"], place);
    return { label: readLabel(point.label, place), value: readNumber(point.value ?? null, place) };
  });
  return { labels: read.map(({ label }) => label), series: [{ name: "", values: read.map(({ value }) => value) }] };
}

/** Reads `{ "labels": ["Mon"], "series": [{ "name": "Shop", "values": [4] }] }`. */
function readNamed(value: Record<string, unknown>): SeriesValue {
  requireKeys(value, ["labels", "series"], "the value");
  if (!Array.isArray(value.series)) refuse(`Got ${show(value.series)} as series, want an array.`);
  const series = value.series.map((one: unknown, index) => {
    const place = `series ${index + 1}`;
    if (!isObject(one) || !Array.isArray(one.values))
      refuse(`Got ${show(one)} as ${place}, want { "name", "values" }.`);
    requireKeys(one, ["name", "values"], place);
    const values = one.values.map((number: unknown, at: number) => readNumber(number, `value ${at + 1} of ${place}`));
    return { name: readLabel(one.name, place), values };
  });
  const count = series[0]?.values.length ?? 0;
  const uneven = series.findIndex(({ values }) => values.length !== count);
  if (uneven >= 0)
    refuse(`Got ${series[uneven]?.values.length} values in series ${uneven + 1}, want ${count} as in series 1.`);
  const given = value.labels ?? [];
  if (!Array.isArray(given)) refuse(`Got ${show(given)} as labels, want an array.`);
  if (given.length > 0 && given.length !== count)
    refuse(`Got ${given.length} labels, want ${count}, one for each value.`);
  const labels = Array.from({ length: count }, (_, index) => readLabel(given[index], `label ${index + 1}`));
  return { labels, series };
}

const WANTED = 'numbers as an array, or as { "labels", "series" }';

function readSeries(value: unknown, { maxPoints, maxSeries }: SeriesDeclaration): SeriesValue | null {
  if (!Array.isArray(value) && !isObject(value)) throw new SeriesFault(wrongType(value, WANTED).fault);
  const most = Array.isArray(value) ? value.length : 0;
  if (most > maxPoints) refuse(`Got ${most} points, want at most ${maxPoints}.`, "too_long");
  const read = Array.isArray(value) ? readPoints(value) : readNamed(value);
  if (read.series.length > maxSeries)
    refuse(`Got ${read.series.length} series, want at most ${maxSeries}.`, "too_long");
  if (read.labels.length > maxPoints)
    refuse(`Got ${read.labels.length} points, want at most ${maxPoints}.`, "too_long");
  return read.series.some(({ values }) => values.some((number) => number !== null)) ? read : null;
}

const label = { type: "string", maxLength: MAX_LABEL_LENGTH };
const number = { oneOf: [{ type: ["number", "null"] }, { type: "string", maxLength: 0 }] };

function holding(text: string): SeriesValue {
  return { labels: [text, text], series: [text, text].map((name) => ({ name, values: [1, 2] })) };
}

export const seriesField: FieldType<SeriesDeclaration, SeriesValue | null> = {
  read(value, declaration) {
    try {
      return { value: readSeries(value, declaration) };
    } catch (error) {
      if (error instanceof SeriesFault) return { fault: error.fault };
      throw error;
    }
  },
  jsonSchema: ({ maxPoints, maxSeries }) => ({
    oneOf: [
      {
        type: "array",
        maxItems: maxPoints,
        items: {
          anyOf: [number, { type: "object", additionalProperties: false, properties: { label, value: number } }],
        },
      },
      {
        type: "object",
        additionalProperties: false,
        required: ["series"],
        properties: {
          labels: { type: "array", maxItems: maxPoints, items: label },
          series: {
            type: "array",
            maxItems: maxSeries,
            items: {
              type: "object",
              additionalProperties: false,
              required: ["values"],
              properties: { name: label, values: { type: "array", maxItems: maxPoints, items: number } },
            },
          },
        },
      },
    ],
  }),
  sample: () => holding("x"),
  holding,
  hostile: textField.hostile.map(holding),
};
