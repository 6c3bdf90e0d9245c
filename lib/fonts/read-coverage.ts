import * as fontkit from "fontkit";
import type { Coverage } from "./coverage.ts";

/** Sorts code points into runs. */
export function runsOf(codePoints: Set<number>): Coverage {
  const runs: Coverage = [];
  for (const codePoint of [...codePoints].sort((a, b) => a - b)) {
    if (runs.at(-1) === codePoint - 1) runs[runs.length - 1] = codePoint;
    else runs.push(codePoint, codePoint);
  }
  return runs;
}

function open(file: Uint8Array): fontkit.Font[] {
  const font = fontkit.create(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  return "fonts" in font ? font.fonts : [font];
}

/** Lists the characters in TrueType, OpenType or WOFF2 files. @throws Error for a file that is not a font */
export function readCoverage(files: Iterable<Uint8Array>): Coverage {
  const codePoints = new Set<number>();
  for (const file of files) {
    for (const { characterSet } of open(file)) for (const codePoint of characterSet) codePoints.add(codePoint);
  }
  return runsOf(codePoints);
}
