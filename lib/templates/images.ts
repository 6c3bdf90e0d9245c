import sharp from "sharp";

/** What a request may hand over, and the name sharp has for it. */
const FORMATS: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpeg",
  "image/webp": "webp",
  "image/gif": "gif",
};

/** The pixels that all images of a request may have together: 50 megapixels are 200 MB in memory, more than any picture shows. */
export const MAX_IMAGE_PIXELS = 50_000_000;

const DATA_URL = /^data:(image\/[a-z+.-]{1,20});base64,/;

/** The proof that an image decodes is made at this width: JPEG and WebP then decode at an eighth of the work. */
const PROOF_WIDTH_PX = 32;

/**
 * Checks that a `data:` URL is an image of an allowed format, of the type it claims, within the pixel limit and whole.
 * The header is read before any pixel is.
 * @returns its size in pixels, or what is wrong with it
 */
export async function checkImage(url: string): Promise<{ pixels: number } | { fault: string }> {
  const match = DATA_URL.exec(url.slice(0, 64));
  const format = FORMATS[match?.[1] ?? ""];
  if (!match || !format) {
    return { fault: `Got "${url.slice(0, 30)}…", want a "data:" URL with base64 of a PNG, JPEG, WebP or GIF image.` };
  }
  const payload = url.slice(match[0].length);
  const bytes = Buffer.from(payload, "base64");
  if (bytes.length === 0 || bytes.toString("base64") !== payload)
    return { fault: "Got base64 that is not canonical, want RFC 4648 base64 with padding." };

  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!header) return { fault: `Got bytes that are no image, want ${match[1]}.` };
  if (header.format !== format) return { fault: `Got ${header.format}, want ${format} as the URL says.` };
  const pixels = header.width * (header.pageHeight ?? header.height);
  if (pixels > MAX_IMAGE_PIXELS) {
    return {
      fault: `Got ${header.width}×${header.height} pixels, want at most ${MAX_IMAGE_PIXELS.toLocaleString("en")} in all.`,
    };
  }
  try {
    await sharp(bytes, { failOn: "truncated", limitInputPixels: MAX_IMAGE_PIXELS })
      .resize(PROOF_WIDTH_PX)
      .raw()
      .toBuffer();
  } catch {
    return { fault: "Got an image that ends early or is damaged, want a whole one." };
  }
  return { pixels };
}
