/** How a file of a format is known, and what it is called. */
export type ImageFormat = {
  name: "PNG" | "JPEG" | "WebP" | "GIF" | "AVIF";
  mediaType: string;
  /** As sharp reports it. */
  sharpName: string;
};

/** Every format that is drawn; a name here is one of `WANTED_FORMATS`. */
const FORMATS: (ImageFormat & { isOf: (bytes: Buffer) => boolean })[] = [
  { name: "PNG", mediaType: "image/png", sharpName: "png", isOf: (bytes) => startsWith(bytes, "\x89PNG\r\n\x1a\n") },
  { name: "JPEG", mediaType: "image/jpeg", sharpName: "jpeg", isOf: (bytes) => startsWith(bytes, "\xff\xd8\xff") },
  {
    name: "WebP",
    mediaType: "image/webp",
    sharpName: "webp",
    isOf: (bytes) => startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBPVP8"),
  },
  {
    name: "GIF",
    mediaType: "image/gif",
    sharpName: "gif",
    isOf: (bytes) => startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a"),
  },
  { name: "AVIF", mediaType: "image/avif", sharpName: "heif", isOf: (bytes) => brandsOf(bytes).includes("avif") },
];

/** How far into a text an `<svg` is looked for: beyond a declaration and a comment. */
const SVG_SEARCH_BYTES = 1_024;

/** Brands of a file in the ISO container, in its first box. None for any other file. */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.length < 16 || !startsWith(bytes.subarray(4), "ftyp")) return [];
  const box = bytes.toString("latin1", 8, Math.min(bytes.readUInt32BE(0), 128));
  return box.match(/.{4}/gs) ?? [];
}

function startsWith(bytes: Buffer, signature: string): boolean {
  return bytes.toString("latin1", 0, signature.length) === signature;
}

/** The format of a file, by its content alone. */
export function formatOf(bytes: Buffer): ImageFormat | undefined {
  return FORMATS.find(({ isOf }) => isOf(bytes));
}

/** The format of a media type such as `image/png`. */
export function formatOfType(mediaType: string): ImageFormat | undefined {
  return FORMATS.find((format) => format.mediaType === mediaType);
}

/** Whether an AVIF file is a film. */
export function isAvifSequence(bytes: Buffer): boolean {
  return brandsOf(bytes).includes("avis");
}

/** Whether a file that is none of the formats is SVG, so that its sender learns why it is refused. */
export function isSvg(bytes: Buffer): boolean {
  return /^\s*<[\s\S]*<?svg[\s>]/i.test(`${bytes.toString("utf8", 0, SVG_SEARCH_BYTES).replace(/^\ufeff/, "")}>`);
}
