import { CUT_SHORT } from "./image-fault.ts";
import { MAX_JPEG_SCANS } from "./image-limits.ts";

/** Markers of ISO/IEC 10918-1, table B.1. */
const FILL = 0xff;
const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Frames in Huffman coding: baseline, extended and progressive. Browsers show no other. */
const SHOWN_FRAMES = [0xc0, 0xc1, 0xc2];
/** Markers among those of frames that begin tables. */
const TABLES = [0xc4, 0xc8, 0xcc];
const [FIRST_RESTART, LAST_RESTART] = [0xd0, 0xd7];

/** Whether a byte after 0xFF belongs to the data of a scan, or has no segment of its own. */
function hasNoSegment(marker: number): boolean {
  return marker <= 1 || (marker >= FIRST_RESTART && marker <= LAST_RESTART) || marker === START_OF_IMAGE;
}

function isOtherFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![...SHOWN_FRAMES, ...TABLES].includes(marker);
}

/** The colour components that a frame declares, each of three bytes (B.2.2). */
function declaredComponents(bytes: Buffer, at: number): Set<number> {
  const count = bytes[at + 9] ?? 0;
  return new Set(Array.from({ length: count }, (_, index) => bytes[at + 10 + 3 * index] ?? 0));
}

/** The components of which a scan has the coarse pixels, each of two bytes (B.2.3). Progressive files have finer ones in other scans. */
function begunComponents(bytes: Buffer, at: number): number[] {
  const count = bytes[at + 4] ?? 0;
  const isBeginning = bytes[at + 5 + 2 * count] === 0;
  return isBeginning ? Array.from({ length: count }, (_, index) => bytes[at + 5 + 2 * index] ?? 0) : [];
}

/**
 * The fault of a JPEG with too many scans, without a scan of one of its colour components, or in arithmetic coding. A progressive one may
 * go over all of its pixels in each of thousands of scans, which take a few bytes each. One in arithmetic coding takes three times as
 * long, and browsers leave it out.
 */
export function scansFault(bytes: Buffer): string | undefined {
  let scans = 0;
  let missing = new Set<number>();
  for (let at = bytes.indexOf(FILL); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(FILL, at)) {
    const marker = bytes[at + 1] ?? END_OF_IMAGE;
    if (marker === END_OF_IMAGE) break;
    if (marker === FILL) {
      while (bytes[at + 1] === FILL) at++;
      continue;
    }
    if (hasNoSegment(marker)) {
      at += 2;
      continue;
    }
    if (isOtherFrame(marker)) return "Got a JPEG in arithmetic or lossless coding, want one in Huffman coding.";
    if (SHOWN_FRAMES.includes(marker)) missing = declaredComponents(bytes, at);
    if (marker === START_OF_SCAN) {
      scans++;
      for (const component of begunComponents(bytes, at)) missing.delete(component);
    }
    at += 2 + (at + 3 < bytes.length ? bytes.readUInt16BE(at + 2) : 0);
  }
  if (missing.size > 0) return CUT_SHORT;
  return scans > MAX_JPEG_SCANS ? `Got ${scans} scans, want at most ${MAX_JPEG_SCANS}.` : undefined;
}
