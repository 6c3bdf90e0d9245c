import type { PickedImage } from "../edits.ts";

/** What the service draws. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"];

/** The service's own limit, in pixels, for all images of a request. */
const MAX_PIXELS = 50_000_000;

/** What a picked file becomes, or a sentence that says why it cannot be used. */
export type Picked = { image: PickedImage } | { fault: string };

/** In megabytes, as files are measured. */
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

async function measured(url: string): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return { width: image.naturalWidth, height: image.naturalHeight };
}

/** Reads a file of the reader's machine. Nothing of it is sent before it is drawn with. */
export async function pickImage(file: File, roomBytes: number): Promise<Picked> {
  if (!IMAGE_TYPES.includes(file.type)) {
    return { fault: `Got ${file.type || "a file of unknown type"}, want PNG, JPEG, WebP, GIF or AVIF.` };
  }
  if (file.size > roomBytes) {
    return { fault: `Got ${megabytes(file.size)}, want at most ${megabytes(Math.max(0, roomBytes))}.` };
  }
  try {
    const url = await readDataUrl(file);
    const size = await measured(url);
    if (size.width * size.height > MAX_PIXELS) {
      return { fault: `Got ${size.width} × ${size.height} pixels, want at most 50 million in all.` };
    }
    return { image: { file: file.name, mediaType: file.type, bytes: file.size, ...size, url } };
  } catch {
    return { fault: "The file holds no image that this browser can read." };
  }
}
