import { crc32, inflateSync } from "node:zlib";
import { CUT_SHORT, type ImageFault } from "./image-fault.ts";
import {
  BROKEN_PNG_TEXT_BYTES,
  MAX_FRAMES,
  MAX_PNG_CHUNKS,
  MAX_PNG_EXIF_BYTES,
  MAX_PNG_PROFILE_BYTES,
  MAX_PNG_TEXT_BYTES,
  MAX_PNG_TEXT_CHUNKS,
} from "./image-limits.ts";
import { PngFirstFrame } from "./png-first-frame.ts";

const SIGNATURE_BYTES = 8;
/** A chunk has its length and type before its data, and a checksum after it. */
const CHUNK_HEAD_BYTES = 8;
const CHUNK_BYTES = 12;

/** Chunks that define pixels, colours and orientation, and two short ones that most files have. */
const KEPT_CHUNKS = "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT eXIf pHYs tIME".split(" ");

/** The uncompressed length of data, or `limit + 1` for more than `limit`. Invalid data has none. */
function inflatedLength(deflated: Buffer, limit: number): number | undefined {
  try {
    return inflateSync(deflated, { maxOutputLength: Math.max(1, limit) }).length;
  } catch (error) {
    const isTooLong = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return isTooLong ? limit + 1 : undefined;
  }
}

/** The compressed part of a `zTXt`, `iTXt` or `iCCP` chunk. */
function deflatedPart(type: string, data: Buffer): Buffer | undefined {
  const keyword = data.indexOf(0);
  if (keyword < 0) return undefined;
  if (type !== "iTXt") return data.subarray(keyword + 2);
  const language = data.indexOf(0, keyword + 3);
  const translated = data.indexOf(0, language + 1);
  return data[keyword + 1] === 1 && language > 0 && translated > 0 ? data.subarray(translated + 1) : undefined;
}

/** Checks chunks against the limits. Texts are counted over the whole file. */
class ChunkLimits {
  #texts = 0;
  #textBytes = 0;

  /** @returns the fault of a chunk, if any */
  check(type: string, data: Buffer): string | undefined {
    if (type === "acTL" && data.length >= 4 && data.readUInt32BE(0) > MAX_FRAMES)
      return `Got ${data.readUInt32BE(0)} frames, want at most ${MAX_FRAMES}.`;
    if (type === "eXIf" && data.length > MAX_PNG_EXIF_BYTES)
      return `Got ${data.length} bytes of EXIF data, want at most ${MAX_PNG_EXIF_BYTES}.`;
    const deflated = ["zTXt", "iTXt", "iCCP"].includes(type) ? deflatedPart(type, data) : undefined;
    if (!deflated) return undefined;
    return type === "iCCP" ? this.#checkProfile(deflated) : this.#checkText(deflated);
  }

  #checkProfile(deflated: Buffer): string | undefined {
    const isTooLong = (inflatedLength(deflated, MAX_PNG_PROFILE_BYTES) ?? 0) > MAX_PNG_PROFILE_BYTES;
    return isTooLong ? `Got a larger colour profile, want at most ${MAX_PNG_PROFILE_BYTES} bytes.` : undefined;
  }

  #checkText(deflated: Buffer): string | undefined {
    this.#texts++;
    if (this.#texts > MAX_PNG_TEXT_CHUNKS) return `Got more texts, want at most ${MAX_PNG_TEXT_CHUNKS}.`;
    this.#textBytes += inflatedLength(deflated, MAX_PNG_TEXT_BYTES - this.#textBytes) ?? BROKEN_PNG_TEXT_BYTES;
    return this.#textBytes > MAX_PNG_TEXT_BYTES
      ? `Got more text once unpacked, want at most ${MAX_PNG_TEXT_BYTES} bytes.`
      : undefined;
  }
}

/** The chunks of a file that are kept, in their order. */
class KeptChunks {
  parts: Buffer[];
  readonly #types = new Set<string>();

  constructor(signature: Buffer) {
    this.parts = [signature];
  }

  /** Whether a chunk repeats one of which a file has only one. Decoders read the first. */
  isRepeated(type: string): boolean {
    return type !== "IDAT" && this.#types.has(type);
  }

  add(type: string, chunk: Buffer): void {
    if (!KEPT_CHUNKS.includes(type)) return;
    this.#types.add(type);
    this.parts.push(chunk);
  }

  /** Puts other pixels in the place of its own. */
  replacePixels(pixels: Buffer): void {
    const isPixels = (part: Buffer) => part.toString("latin1", 4, CHUNK_HEAD_BYTES) === "IDAT";
    const at = this.parts.findIndex(isPixels);
    this.parts = [...this.parts.slice(0, at), pixels, ...this.parts.slice(at).filter((part) => !isPixels(part))];
  }
}

/**
 * Removes all chunks but {@link KEPT_CHUNKS}: texts, and all frames of an animation but the first. The compressed
 * pixels stay the same, byte for byte. Of chunks of which a file has only one, the first is kept. A file with nothing to remove is returned unchanged.
 */
export function stillPng(bytes: Buffer): { bytes: Buffer } | ImageFault {
  const kept = new KeptChunks(bytes.subarray(0, SIGNATURE_BYTES));
  const limits = new ChunkLimits();
  const firstFrame = new PngFirstFrame();
  let type = "";
  let count = 0;
  for (let at = SIGNATURE_BYTES; type !== "IEND"; ) {
    if (at + CHUNK_BYTES > bytes.length) return { fault: CUT_SHORT };
    const end = at + CHUNK_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) return { fault: CUT_SHORT };
    type = bytes.toString("latin1", at + 4, at + CHUNK_HEAD_BYTES);
    // A decoder may skip a chunk whose checksum is wrong, or not: the picture would depend on it.
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return { fault: CUT_SHORT };
    if (++count > MAX_PNG_CHUNKS) return { fault: `Got more chunks, want at most ${MAX_PNG_CHUNKS}.` };
    if (!kept.isRepeated(type)) {
      const data = bytes.subarray(at + CHUNK_HEAD_BYTES, end - 4);
      const fault = limits.check(type, data);
      if (fault !== undefined) return { fault };
      firstFrame.add(type, data);
      kept.add(type, bytes.subarray(at, end));
    }
    at = end;
  }
  const hidden = firstFrame.read(bytes.subarray(SIGNATURE_BYTES + CHUNK_HEAD_BYTES));
  if (hidden && "fault" in hidden) return hidden;
  if (hidden) kept.replacePixels(hidden);
  const length = kept.parts.reduce((sum, part) => sum + part.length, 0);
  return { bytes: length === bytes.length && !hidden ? bytes : Buffer.concat(kept.parts, length) };
}
