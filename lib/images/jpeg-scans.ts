import { CUT_SHORT } from "./image-fault.ts";
import { MAX_JPEG_SCANS } from "./image-limits.ts";

/** Markers of ISO/IEC 10918-1, table B.1. */
const FILL = 0xff;
const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const PROGRESSIVE_FRAME = 0xc2;
/** Frames in Huffman coding: baseline, extended and progressive. Browsers show no other. */
const SHOWN_FRAMES = [0xc0, 0xc1, PROGRESSIVE_FRAME];
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

/** The segments of a JPEG before its end: their markers, and where they begin. */
function* segmentsIn(bytes: Buffer): Generator<{ marker: number; at: number }> {
  for (let at = bytes.indexOf(FILL); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(FILL, at)) {
    const marker = bytes[at + 1] ?? END_OF_IMAGE;
    if (marker === END_OF_IMAGE) return;
    if (marker === FILL) {
      while (bytes[at + 1] === FILL) at++;
      continue;
    }
    if (hasNoSegment(marker)) {
      at += 2;
      continue;
    }
    yield { marker, at };
    at += 2 + (at + 3 < bytes.length ? bytes.readUInt16BE(at + 2) : 0);
  }
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
  for (const { marker, at } of segmentsIn(bytes)) {
    if (isOtherFrame(marker)) return "Got a JPEG in arithmetic or lossless coding, want one in Huffman coding.";
    if (SHOWN_FRAMES.includes(marker)) missing = declaredComponents(bytes, at);
    if (marker !== START_OF_SCAN) continue;
    scans++;
    for (const component of begunComponents(bytes, at)) missing.delete(component);
  }
  if (missing.size > 0) return CUT_SHORT;
  return scans > MAX_JPEG_SCANS ? `Got ${scans} scans, want at most ${MAX_JPEG_SCANS}.` : undefined;
}

/** Blocks have as many rows of pixels. */
const BLOCK_ROWS = 8;

/** Makes a frame end eight rows after the first row of its last blocks has. @returns its height */
function addRows(bytes: Buffer, frame: number): number {
  const count = bytes[frame + 9] ?? 0;
  // A single component has blocks one by one, whatever its sampling is (A.2.2).
  if (count === 1) bytes[frame + 11] = 0x11;
  const factors = Array.from({ length: count }, (_, index) => (bytes[frame + 11 + 3 * index] ?? 0) & 15);
  const unitRows = BLOCK_ROWS * Math.max(1, ...factors);
  const height = bytes.readUInt16BE(frame + 5);
  const added = Math.floor((height - 1) / unitRows) * unitRows + 2 * BLOCK_ROWS;
  const all = Math.max(height, added);
  bytes.writeUInt16BE(all, frame + 5);
  return all;
}

/**
 * A copy of a JPEG with more rows, so that eight of them come after those with which its last blocks are decoded. The added ones
 * are those that the last blocks have anyway, or have no pixels.
 * @returns undefined for one of several scans, all of which are decoded before its first row
 */
export function withMoreRows(bytes: Buffer): { bytes: Buffer; height: number } | undefined {
  let frame: number | undefined;
  for (const { marker, at } of segmentsIn(bytes)) {
    if (SHOWN_FRAMES.includes(marker)) frame = at;
    if (marker !== START_OF_SCAN || frame === undefined) continue;
    const isOnlyScan = bytes[frame + 1] !== PROGRESSIVE_FRAME && bytes[at + 4] === bytes[frame + 9];
    if (!isOnlyScan) return undefined;
    const copy = Buffer.from(bytes);
    return { bytes: copy, height: addRows(copy, frame) };
  }
  return undefined;
}
