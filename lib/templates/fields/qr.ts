import { encodeQR } from "qr";
import { z } from "zod";
import { inBarcodeTurn } from "../drawings/barcode-turns.ts";
import { wrongType } from "../faults/value-faults.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";
import { lengthOf } from "./text.ts";

/** The highest error correction holds 1,273 bytes. A character takes at most 4 bytes, so 300 of them always fit. */
const MAX_QR_LENGTH = 300;

export const qrDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("qr"),
  /** Counted in Unicode characters. */
  maxLength: z.number().int().min(1).max(MAX_QR_LENGTH).default(MAX_QR_LENGTH),
  /** How much of the code may be damaged: 7, 15, 25 or 30 per cent. A higher level makes the modules smaller. */
  errorCorrection: z.enum(["low", "medium", "quartile", "high"]).default("medium"),
});

export type QrDeclaration = z.infer<typeof qrDeclaration>;

/** The margin that scanners need around a code, in modules (ISO/IEC 18004, 6.3.8). */
const QUIET_ZONE = 4;

/** An SVG path of the dark modules of a row. Adjacent modules are one rectangle. */
function pathOf(row: boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x++;
    path += `M${start} ${y}h${x + 1 - start}v1H${start}z`;
  }
  return path;
}

/** An SVG image of a code with its quiet zone, one pixel per module, black on white for every scanner. */
function drawCode(modules: boolean[][]): string {
  const size = modules.length;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${modules.map(pathOf).join("")}"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

export const qrField: FieldType<QrDeclaration, string> = {
  async read(value, { maxLength, errorCorrection }, { signal }) {
    if (typeof value !== "string") return wrongType(value, "the text of a QR code as a string");
    const length = lengthOf(value, maxLength);
    if (length > maxLength)
      return { fault: { code: "too_long", message: `Got ${length} characters, want at most ${maxLength}.` } };
    if (!value.isWellFormed())
      return { fault: { code: "invalid_text", message: "Got half of a surrogate pair, want whole characters." } };
    const text = value.trim();
    const encode = () => drawCode(encodeQR(text, "raw", { ecc: errorCorrection, border: QUIET_ZONE }));
    return { value: await inBarcodeTurn(encode, { text, signal }) };
  },
  jsonSchema: ({ maxLength }) => ({ type: "string", maxLength }),
  sample: () => drawCode([[true]]),
  hostile: [],
};
