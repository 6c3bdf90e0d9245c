import { z } from "zod";
import { isNumber, isObject } from "#lib/json-kinds.ts";
import {
  MAX_UNKNOWN_KEYS,
  type ReadResult,
  refuse,
  show,
  unknownKeys,
  type ValueFault,
  wrongType,
} from "../faults/value-faults.ts";
import { commonDeclaration, type FieldType, type JsonSchema } from "./field-type.ts";
import { checkOrder } from "./number.ts";
import { lengthOf, marksFault, textField } from "./text.ts";

/** More points than a picture has room for, and few enough to be drawn in a few milliseconds. */
const MAX_POINTS = 400;
/** More series cannot be told apart by their colours. */
const MAX_SERIES = 6;
const MAX_LABEL_LENGTH = 40;
/** Beyond it, doubles are not exact, and no axis has such numbers. */
const MAX_VALUE = 1e15;
/** Numbers closer to zero are drawn as zero: scales divide by them, and most are the error of a sum, such as 0.1 + 0.2 - 0.3. */
const MIN_VALUE = 1e-12;

export const seriesDeclaration = z
  .strictObject({
    ...commonDeclaration,
    type: z.literal("series"),
    min: z.number().min(-MAX_VALUE).default(-MAX_VALUE),
    max: z.number().max(MAX_VALUE).default(MAX_VALUE),
    maxPoints: z.number().int().min(1).max(MAX_POINTS).default(60),
    maxSeries: z.number().int().min(1).max(MAX_SERIES).default(4),
  })
  .superRefine(checkOrder);

export type SeriesDeclaration = z.infer<typeof seriesDeclaration>;

/** Numbers by label. Every series has a number, or null for a missing one, for each label. */
export type SeriesValue = { labels: string[]; series: { name: string; values: (number | null)[] }[] };

function labelFault(value: unknown, place: string): string | undefined {
  if (typeof value !== "string") return `Got ${show(value)} as a label in ${place}, want a string.`;
  const length = lengthOf(value, MAX_LABEL_LENGTH);
  if (length > MAX_LABEL_LENGTH) return `Got ${length} characters in ${place}, want at most ${MAX_LABEL_LENGTH}.`;
  if (/[\p{Cc}\u2028-\u202e\u2066-\u2069\ufffe\uffff]/u.test(value) || !value.isWellFormed())
    return `Got a control character in ${place}, want plain text.`;
  return marksFault(value)?.message;
}

/** The keys of a part of a value. */
type Keys = (string | number)[];

/** Reads a value and collects its faults. What is read of a value with faults is not used. */
class SeriesReader {
  readonly faults: ValueFault[] = [];
  readonly #min: number;
  readonly #max: number;
  /** How many unknown keys may still be named, in all points together. */
  #unknownLeft = MAX_UNKNOWN_KEYS;

  constructor({ min, max }: SeriesDeclaration) {
    this.#min = min;
    this.#max = max;
  }

  #refuse(at: Keys, message: string): void {
    this.faults.push({ code: "invalid_series", message, at: at.map(String) });
  }

  /** Forms and tables send an empty text for a missing number. */
  #number(value: unknown, at: Keys, place: string): number | null {
    if (value === null || value === "") return null;
    if (!isNumber(value)) {
      this.#refuse(at, `Got ${show(value)} in ${place}, want a number or null.`);
      return null;
    }
    if (value < this.#min || value > this.#max)
      this.#refuse(at, `Got ${value} in ${place}, want a number from ${this.#min} to ${this.#max}.`);
    return Math.abs(value) < MIN_VALUE ? 0 : value;
  }

  #label(value: unknown, at: Keys, place: string): string {
    if (value === undefined || value === null) return "";
    const fault = labelFault(value, place);
    if (fault === undefined) return String(value).normalize("NFC").trim();
    this.#refuse(at, fault);
    return "";
  }

  #refuseUnknown(value: object, known: string[], at: Keys = []): void {
    const limit = this.#unknownLeft;
    const unknown = unknownKeys(value, { known, code: "invalid_series", at: at.map(String), limit });
    this.#unknownLeft -= unknown.length;
    this.faults.push(...unknown);
  }

  /** Reads `[3, null, { "label": "Mon", "value": 4 }]`. */
  points(points: unknown[]): SeriesValue {
    const read = points.map((point, index) => {
      const place = `point ${index + 1}`;
      if (!isObject(point)) return { label: "", value: this.#number(point, [index], place) };
      this.#refuseUnknown(point, ["label", "value"], [index]);
      return {
        label: this.#label(point.label, [index, "label"], place),
        value: this.#number(point.value ?? null, [index, "value"], place),
      };
    });
    return { labels: read.map(({ label }) => label), series: [{ name: "", values: read.map(({ value }) => value) }] };
  }

  #one(one: unknown, index: number): SeriesValue["series"][number] {
    const place = `series ${index + 1}`;
    const at: Keys = ["series", index];
    if (!isObject(one) || !Array.isArray(one.values)) {
      this.#refuse(at, `Got ${show(one)} as ${place}, want { "name", "values" }.`);
      return { name: "", values: [] };
    }
    this.#refuseUnknown(one, ["name", "values"], at);
    const values = one.values.map((number: unknown, value: number) =>
      this.#number(number, [...at, "values", value], `value ${value + 1} of ${place}`),
    );
    return { name: this.#label(one.name, [...at, "name"], place), values };
  }

  #labels(given: unknown, count: number): string[] {
    if (!Array.isArray(given)) this.#refuse(["labels"], `Got ${show(given)} as labels, want an array.`);
    else if (given.length > 0 && given.length !== count)
      this.#refuse(["labels"], `Got ${given.length} labels, want ${count}, one for each value.`);
    else
      return Array.from({ length: count }, (_, index) =>
        this.#label(given[index], ["labels", index], `label ${index + 1}`),
      );
    return [];
  }

  /** Reads `{ "labels": ["Mon"], "series": [{ "name": "Shop", "values": [4] }] }`. */
  named(value: Record<string, unknown>): SeriesValue {
    this.#refuseUnknown(value, ["labels", "series"]);
    if (!Array.isArray(value.series)) {
      this.#refuse(["series"], `Got ${show(value.series)} as series, want an array.`);
      return { labels: [], series: [] };
    }
    const series = value.series.map((one: unknown, index) => this.#one(one, index));
    const count = series[0]?.values.length ?? 0;
    for (const [index, { values }] of series.entries())
      if (values.length !== count && this.faults.length === 0)
        this.#refuse(
          ["series", index, "values"],
          `Got ${values.length} values in series ${index + 1}, want ${count} as in series 1.`,
        );
    return { labels: this.#labels(value.labels ?? [], count), series };
  }
}

const WANTED = 'numbers as an array, or as { "labels", "series" }';

const tooLong = (count: number, what: string, limit: number): ValueFault => ({
  code: "too_long",
  message: `Got ${count} ${what}, want at most ${limit}.`,
});

/** Counted before anything is read, so that a value that is far too long costs little. */
function lengthFaults(value: object, { maxPoints, maxSeries }: SeriesDeclaration): ValueFault[] {
  if (Array.isArray(value)) return value.length > maxPoints ? [tooLong(value.length, "points", maxPoints)] : [];
  const series = "series" in value && Array.isArray(value.series) ? value.series : [];
  const points = series.reduce<number>((most, one) => {
    const count = isObject(one) && Array.isArray(one.values) ? one.values.length : 0;
    return Math.max(most, count);
  }, 0);
  return [
    ...(series.length > maxSeries ? [{ ...tooLong(series.length, "series", maxSeries), at: ["series"] }] : []),
    ...(points > maxPoints ? [{ ...tooLong(points, "points", maxPoints), at: ["series"] }] : []),
  ];
}

function readSeries(value: unknown, declaration: SeriesDeclaration): ReadResult<SeriesValue | null> {
  if (!Array.isArray(value) && !isObject(value)) return wrongType(value, WANTED);
  const tooMany = refuse(lengthFaults(value, declaration));
  if (tooMany) return tooMany;
  const reader = new SeriesReader(declaration);
  const read = Array.isArray(value) ? reader.points(value) : reader.named(value);
  const hasNumbers = read.series.some(({ values }) => values.some((number) => number !== null));
  return refuse(reader.faults) ?? { value: hasNumbers ? read : null };
}

const label = { type: "string", maxLength: MAX_LABEL_LENGTH };

function holding(text: string, values = [1, 2]): SeriesValue {
  return { labels: values.map(() => text), series: [text, text].map((name) => ({ name, values })) };
}

function jsonSchema({ min, max, maxPoints, maxSeries }: SeriesDeclaration): JsonSchema {
  const number = {
    oneOf: [
      { type: ["number", "null"], minimum: min, maximum: max },
      { type: "string", maxLength: 0 },
    ],
  };
  return {
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
  };
}

export const seriesField: FieldType<SeriesDeclaration, SeriesValue | null> = {
  read: readSeries,
  jsonSchema,
  sample: ({ min, max }) =>
    holding(
      "x",
      [1, 2].map((value) => Math.min(Math.max(value, min), max)),
    ),
  holding: (text) => holding(text),
  hostile: textField.hostile.map((text) => holding(text)),
};
