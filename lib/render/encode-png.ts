import type { RenderConfig } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { sharp } from "#lib/sharp.ts";

/**
 * Measured at 1200 × 630 on a gradient with text and on a flat card. Chromium's default takes 180 ms for 412 kB and 25 ms for
 * 34.6 kB. Level 6 makes 362 and 36.3 kB; 7 makes 299 and 28.5 kB in the same time; 8 saves 2 % in twice the time.
 */
const BALANCED_LEVEL = 7;

const SMALLEST_LEVEL = 9;

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const WIDTH_OFFSET = 16;
const HEIGHT_OFFSET = 20;

type Wanted = { width: number; height: number; effort: RenderConfig["png"] };

/** Size in pixels, from the header of a PNG. @throws AppError `render_failed` when it is no PNG */
function sizeOf(png: Buffer): { width: number; height: number } {
  if (png.length <= HEIGHT_OFFSET + 4 || !png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    throw new AppError("render_failed", "The browser returned no picture.");
  }
  return { width: png.readUInt32BE(WIDTH_OFFSET), height: png.readUInt32BE(HEIGHT_OFFSET) };
}

/** @throws AppError `render_failed` when it cannot be decoded */
async function compress(png: Buffer, options: { level: number; adaptive: boolean }): Promise<Buffer> {
  const { level: compressionLevel, adaptive: adaptiveFiltering } = options;
  try {
    return await sharp(png).png({ compressionLevel, adaptiveFiltering, palette: false }).toBuffer();
  } catch (cause) {
    throw new AppError("render_failed", "The browser gave a picture that cannot be decoded.", { cause });
  }
}

/**
 * Filters chosen row by row make gradients and photographs a third smaller, and flat colours larger. They take ten
 * times as long.
 */
async function smallest(png: Buffer): Promise<Buffer> {
  const plain = await compress(png, { level: SMALLEST_LEVEL, adaptive: false });
  const adaptive = await compress(png, { level: SMALLEST_LEVEL, adaptive: true });
  return adaptive.length < plain.length ? adaptive : plain;
}

/** What each effort does with a screenshot that was taken with `optimizeForSpeed`. */
const ENCODERS: Record<RenderConfig["png"], (screenshot: Buffer) => Buffer | Promise<Buffer>> = {
  fast: (screenshot) => screenshot,
  balanced: (screenshot) => compress(screenshot, { level: BALANCED_LEVEL, adaptive: false }),
  small: smallest,
};

/**
 * Compresses a screenshot that was taken with `optimizeForSpeed`; `fast` leaves it as it is. The pixels stay the same, and
 * the same pixels give the same bytes.
 * @throws AppError `render_failed` when it does not have exactly the wanted size, or cannot be decoded
 */
export async function encodePng(screenshot: Buffer, wanted: Wanted): Promise<Buffer> {
  const { width, height } = sizeOf(screenshot);
  if (width !== wanted.width || height !== wanted.height) {
    throw new AppError(
      "render_failed",
      `Got ${width} × ${height} pixels from the browser, want ${wanted.width} × ${wanted.height}.`,
    );
  }
  return await ENCODERS[wanted.effort](screenshot);
}
