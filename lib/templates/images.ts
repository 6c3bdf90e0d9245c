import pLimit from "p-limit";
import type { Metadata } from "sharp";
import { sharp } from "#lib/sharp.ts";

/** What a request may hand over, and the name sharp has for it. */
const FORMATS: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/webp": "webp",
  "image/gif": "gif",
};

/** The pixels that all images of a request may have together: 50 megapixels are 200 MB in memory, more than any picture shows. */
export const MAX_IMAGE_PIXELS = 50_000_000;

/** The decoded size in bytes of one image: those pixels in the four channels of eight bits that a browser keeps. */
const MAX_DECODED_BYTES = 4 * MAX_IMAGE_PIXELS;

/** A picture shows the first frame. A browser reads the others all the same. */
const MAX_FRAMES = 500;

const DATA_URL = /^data:(image\/[a-z+.-]{1,20});base64,/;

/** The proof that an image decodes is made at this width: JPEG and WebP then decode at an eighth of the work. */
const PROOF_WIDTH_PX = 32;

/** Each proof may hold a whole decoded image; the rest wait their turn. */
const limitProofs = pLimit(2);

/** Bytes of a `data:` URL of an allowed type, and the name sharp has for that type. */
function readUrl(url: string): { bytes: Buffer; format: string } | { fault: string } {
  const match = DATA_URL.exec(url.slice(0, 64));
  const format = FORMATS[match?.[1] ?? ""];
  if (!match || !format) {
    return { fault: `Got "${url.slice(0, 30)}…", want a "data:" URL with base64 of a PNG, JPEG, WebP or GIF image.` };
  }
  const payload = url.slice(match[0].length);
  const bytes = Buffer.from(payload, "base64");
  const isCanonical = bytes.length > 0 && bytes.toString("base64") === payload;
  return isCanonical
    ? { bytes, format }
    : { fault: "Got base64 that is not canonical, want RFC 4648 base64 with padding." };
}

/** What a browser makes room for. A GIF's frames stand on a screen of their own size, which sharp does not tell. */
function sizeOf(bytes: Buffer, { format, width, height, pageHeight }: Metadata): { width: number; height: number } {
  const frame = { width, height: pageHeight ?? height };
  if (format !== "gif") return frame;
  return { width: Math.max(frame.width, bytes.readUInt16LE(6)), height: Math.max(frame.height, bytes.readUInt16LE(8)) };
}

/** How many frames an image has. sharp knows an animated PNG as its first frame only; the count stands in its `acTL` chunk. */
function framesOf(bytes: Buffer, { format, pages = 1 }: Metadata): number {
  const control = format === "png" ? bytes.subarray(0, bytes.indexOf("IDAT")).indexOf("acTL") : -1;
  return control < 0 ? pages : bytes.readUInt32BE(control + 4);
}

function headerFault(bytes: Buffer, header: Metadata): string | undefined {
  const { width, height } = sizeOf(bytes, header);
  const decodedBytes = width * height * header.channels * (header.depth === "ushort" ? 2 : 1);
  if (width * height > MAX_IMAGE_PIXELS)
    return `Got ${width}×${height} pixels, want at most ${MAX_IMAGE_PIXELS.toLocaleString("en")} in all.`;
  if (decodedBytes > MAX_DECODED_BYTES)
    return `Got ${decodedBytes} bytes once decoded, want at most ${MAX_DECODED_BYTES}.`;
  const frames = framesOf(bytes, header);
  return frames > MAX_FRAMES ? `Got ${frames} frames, want at most ${MAX_FRAMES}.` : undefined;
}

async function isWhole(bytes: Buffer, signal: AbortSignal | undefined): Promise<boolean> {
  signal?.throwIfAborted();
  const proof = sharp(bytes, { failOn: "truncated", limitInputPixels: MAX_IMAGE_PIXELS }).resize(PROOF_WIDTH_PX).raw();
  return await proof.toBuffer().then(
    () => true,
    () => false,
  );
}

/**
 * Checks that a `data:` URL is an image of an allowed format, of the type it claims, within the limits and whole.
 * The header is read before any pixel is.
 * @returns its size in pixels, or what is wrong with it
 * @throws the signal's reason
 */
export async function checkImage(url: string, signal?: AbortSignal): Promise<{ pixels: number } | { fault: string }> {
  const read = readUrl(url);
  if ("fault" in read) return read;
  const { bytes, format } = read;
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!header) return { fault: `Got bytes that are no image, want ${format}.` };
  if (header.format !== format) return { fault: `Got ${header.format}, want ${format} as the URL says.` };
  const fault = headerFault(bytes, header);
  if (fault !== undefined) return { fault };
  if (!(await limitProofs(() => isWhole(bytes, signal))))
    return { fault: "Got an image that ends early or is damaged, want a whole one." };
  const { width, height } = sizeOf(bytes, header);
  return { pixels: width * height };
}
