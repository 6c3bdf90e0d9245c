import { MAX_FRAMES } from "./image-limits.ts";

/** `RIFF`, the length of the file, and `WEBP`. */
const FILE_HEAD_BYTES = 12;
/** A chunk has its type and length before its data. */
const CHUNK_HEAD_BYTES = 8;

/**
 * The fault of a WebP with too many frames. To find a frame, the decoder goes through all those before it, also when it only reads the
 * header. So 44,000 frames, which fit into 2 MB, take it 2 s.
 */
export function framesFault(bytes: Buffer): string | undefined {
  let frames = 0;
  for (let at = FILE_HEAD_BYTES; at + CHUNK_HEAD_BYTES <= bytes.length; ) {
    if (bytes.toString("latin1", at, at + 4) === "ANMF") frames++;
    const length = bytes.readUInt32LE(at + 4);
    // Chunks begin at even places.
    at += CHUNK_HEAD_BYTES + length + (length % 2);
  }
  return frames > MAX_FRAMES ? `Got ${frames} frames, want at most ${MAX_FRAMES}.` : undefined;
}
