import type { PickedImage } from "../../edits.ts";

/** The image types that the service accepts. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"];

/** The limit of the service for all images of a request, in pixels. */
const MAX_PIXELS = 50_000_000;

/** The image, or why the file cannot be used. */
export type Picked = { image: PickedImage } | { fault: string };

/** Formats a file size in kB or MB. */
export function megabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

async function measure(url: string): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return { width: image.naturalWidth, height: image.naturalHeight };
}

/** Reads an image file in the browser. */
export async function pickImage(file: File, maxBytes: number): Promise<Picked> {
  if (!IMAGE_TYPES.includes(file.type)) {
    return { fault: `Got ${file.type || "a file of unknown type"}, want PNG, JPEG, WebP, GIF or AVIF.` };
  }
  if (file.size > maxBytes) {
    return { fault: `Got ${megabytes(file.size)}, want at most ${megabytes(Math.max(0, maxBytes))}.` };
  }
  try {
    const url = await readDataUrl(file);
    const size = await measure(url);
    if (size.width * size.height > MAX_PIXELS) {
      return { fault: `Got ${size.width} × ${size.height} pixels, want at most 50 million in all.` };
    }
    return { image: { file: file.name, mediaType: file.type, bytes: file.size, ...size, url } };
  } catch {
    return { fault: "This browser cannot read the image. Choose another file." };
  }
}
