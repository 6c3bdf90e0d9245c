import { encodeQR } from "qr";
import { z } from "zod";
import { commonDeclaration, type FieldType, wrongType } from "./field-type.ts";
import { lengthOf } from "./text.ts";

/** Whatever they are, so many characters fit in a code at the highest error correction: 1,273 bytes, of which each takes 4 at most. */
const MAX_QR_LENGTH = 300;

export const qrDeclaration = z.strictObject({
  ...commonDeclaration,
  type: z.literal("qr"),
  /** In Unicode characters. */
  maxLength: z.number().int().min(1).max(MAX_QR_LENGTH).default(MAX_QR_LENGTH),
  /** How much of the code may be covered or worn away: 7, 15, 25 or 30 per cent. More makes its modules smaller. */
  errorCorrection: z.enum(["low", "medium", "quartile", "high"]).default("medium"),
});

export type QrDeclaration = z.infer<typeof qrDeclaration>;

/** The margin that readers need around a code, in modules (ISO/IEC 18004, 6.3.8). */
const QUIET_ZONE = 4;

/** The dark modules of a row as a path, those that touch in one piece. */
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

/** An image of a code, one pixel a module, its quiet zone included. Black on white, which every reader knows. */
function draw(modules: boolean[][]): string {
  const size = modules.length;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${modules.map(pathOf).join("")}"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

export const qrField: FieldType<QrDeclaration, string> = {
  read(value, { maxLength, errorCorrection }) {
    if (typeof value !== "string") return wrongType(value, "the text of a QR code as a string");
    const length = lengthOf(value, maxLength);
    if (length > maxLength)
      return { fault: { code: "too_long", message: `Got ${length} characters, want at most ${maxLength}.` } };
    if (!value.isWellFormed())
      return { fault: { code: "invalid_text", message: "Got half of a surrogate pair, want whole characters." } };
    return { value: draw(encodeQR(value.trim(), "raw", { ecc: errorCorrection, border: QUIET_ZONE })) };
  },
  jsonSchema: ({ maxLength }) => ({ type: "string", maxLength }),
  sample: () => draw([[true]]),
  hostile: [],
};
