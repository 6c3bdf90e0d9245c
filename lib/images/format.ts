/** An accepted image format. */
export type ImageFormat = {
  name: "PNG" | "JPEG" | "WebP" | "GIF" | "AVIF";
  mediaType: string;
  /** The name that sharp reports. */
  sharpName: string;
};

/** Every accepted format. Keep `WANTED_FORMATS` in line with it. */
const FORMATS: (ImageFormat & { matches: (bytes: Buffer) => boolean })[] = [
  { name: "PNG", mediaType: "image/png", sharpName: "png", matches: (bytes) => startsWith(bytes, "\x89PNG\r\n\x1a\n") },
  { name: "JPEG", mediaType: "image/jpeg", sharpName: "jpeg", matches: (bytes) => startsWith(bytes, "\xff\xd8\xff") },
  {
    name: "WebP",
    mediaType: "image/webp",
    sharpName: "webp",
    matches: (bytes) => startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBPVP8"),
  },
  {
    name: "GIF",
    mediaType: "image/gif",
    sharpName: "gif",
    matches: (bytes) => startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a"),
  },
  { name: "AVIF", mediaType: "image/avif", sharpName: "heif", matches: (bytes) => brandsOf(bytes).includes("avif") },
];

/** How far into a file to search for `<svg`, which may follow a declaration and a comment. */
const SVG_SEARCH_BYTES = 1_024;

/** The brands in the first box of an ISO base media file (ISO/IEC 14496-12). Empty for any other file. */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.length < 16 || !startsWith(bytes.subarray(4), "ftyp")) return [];
  const box = bytes.toString("latin1", 8, Math.min(bytes.readUInt32BE(0), 128));
  return box.match(/.{4}/gs) ?? [];
}

function startsWith(bytes: Buffer, signature: string): boolean {
  return bytes.toString("latin1", 0, signature.length) === signature;
}

/** Detects the format of a file by its content. */
export function formatOf(bytes: Buffer): ImageFormat | undefined {
  return FORMATS.find(({ matches }) => matches(bytes));
}

/** Finds the format of a media type such as `image/png`. */
export function formatOfType(mediaType: string): ImageFormat | undefined {
  return FORMATS.find((format) => format.mediaType === mediaType);
}

/** Whether an AVIF file is an animation. */
export function isAvifSequence(bytes: Buffer): boolean {
  return brandsOf(bytes).includes("avis");
}

/** Whether a file of no accepted format is SVG. The message then says why it is refused. */
export function isSvg(bytes: Buffer): boolean {
  return /^\s*<[\s\S]*<?svg[\s>]/i.test(`${bytes.toString("utf8", 0, SVG_SEARCH_BYTES)}>`);
}
