import { z } from "zod";
import { drawBarcode, SYMBOLOGIES, type Symbology } from "../drawings/barcode-image.ts";
import { show, type ValueFault, wrongType } from "../faults/value-faults.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";
import { lengthOf, marksFault, textField } from "./text.ts";

/** The longest text of a code, in characters. More needs more modules than a picture shows legibly. */
const MAX_LENGTH: Record<Symbology, number> = { "ean-13": 13, "upc-a": 12, "code-128": 80, "data-matrix": 200 };

const MAX_BARCODE_LENGTH = 200;

export const barcodeDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("barcode"),
  symbology: z.enum(SYMBOLOGIES),
  /** Counted in Unicode characters, for Code 128 and Data Matrix. */
  maxLength: z.number().int().min(1).max(MAX_BARCODE_LENGTH).optional(),
  /** Whether the image has the white margin that scanners need. Without it, the template leaves that room itself. */
  margin: z.boolean().default(true),
});

export type BarcodeDeclaration = z.infer<typeof barcodeDeclaration>;

/** The image of a code for `src`, and the characters that it holds. */
export type BarcodeValue = { src: string; text: string };

/** The digits of an article number, with its check digit. */
const DIGITS: Partial<Record<Symbology, number>> = { "ean-13": 13, "upc-a": 12 };

/** The check digit of an article number without it: weights 3 and 1 from the right, up to the next ten (GS1 7.9). */
export function checkDigit(digits: string): number {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}

type Read = { text: string } | { fault: ValueFault };

/** Reads an article number, with or without its check digit. Spaces and hyphens are how people group its digits. */
function readArticleNumber(value: string, count: number): Read {
  const digits = value.replaceAll(/[\s-]/g, "");
  const wanted = `${count} digits, or ${count - 1} without the check digit`;
  if (!/^\d+$/.test(digits) || digits.length < count - 1 || digits.length > count)
    return { fault: { code: "invalid_barcode", message: `Got ${show(value)}, want ${wanted}.` } };
  const body = digits.slice(0, count - 1);
  const wantedCheck = checkDigit(body);
  const text = `${body}${wantedCheck}`;
  if (digits.length === count && digits !== text) {
    const message = `Got the check digit ${digits.at(-1)}, want ${wantedCheck}: ${text}.`;
    return { fault: { code: "invalid_barcode", message } };
  }
  return { text };
}

function maxLengthOf({ symbology, maxLength }: BarcodeDeclaration): number {
  return Math.min(maxLength ?? MAX_LENGTH[symbology], MAX_LENGTH[symbology]);
}

function readText(value: string, declaration: BarcodeDeclaration): Read {
  const limit = maxLengthOf(declaration);
  const length = lengthOf(value, limit);
  if (length > limit)
    return { fault: { code: "too_long", message: `Got ${length} characters, want at most ${limit}.` } };
  if (!value.isWellFormed())
    return { fault: { code: "invalid_text", message: "Got half of a surrogate pair, want whole characters." } };
  const strange = declaration.symbology === "code-128" ? /[^ -~]/u.exec(value)?.[0] : undefined;
  if (strange !== undefined) {
    const message = `Got ${JSON.stringify(strange)}, want letters, digits and signs of ASCII: Code 128 holds no others.`;
    return { fault: { code: "invalid_barcode", message } };
  }
  const tooManyMarks = marksFault(value);
  return tooManyMarks ? { fault: tooManyMarks } : { text: value.trim() };
}

const SAMPLES: Record<Symbology, string> = {
  "ean-13": "4006381333931",
  "upc-a": "036000291452",
  "code-128": "A-1",
  "data-matrix": "A-1",
};

const EMPTY_IMAGE = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=";

const withText = (text: string): BarcodeValue => ({ src: EMPTY_IMAGE, text });

export const barcodeField: FieldType<BarcodeDeclaration, BarcodeValue> = {
  async read(value, declaration, { signal }) {
    const { symbology, margin } = declaration;
    if (typeof value !== "string")
      return wrongType(value, `the ${DIGITS[symbology] ? "digits" : "text"} of a barcode as a string`);
    const digits = DIGITS[symbology];
    const read = digits === undefined ? readText(value, declaration) : readArticleNumber(value, digits);
    if ("fault" in read) return read;
    const { text } = read;
    return { value: { src: await drawBarcode({ symbology, text, hasMargin: margin, signal }), text } };
  },
  jsonSchema(declaration) {
    const digits = DIGITS[declaration.symbology];
    if (digits !== undefined) return { type: "string", pattern: `^[\\s-]*(?:\\d[\\s-]*){${digits - 1},${digits}}$` };
    return { type: "string", maxLength: maxLengthOf(declaration) };
  },
  sample: ({ symbology }) => withText(SAMPLES[symbology]),
  holding: withText,
  hostile: textField.hostile.map(withText),
};
