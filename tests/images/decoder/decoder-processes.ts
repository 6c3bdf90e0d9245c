import { readFileSync } from "node:fs";
import { inDecoder } from "#lib/images/decoder/decoders.ts";
import type { Toning } from "#lib/images/decoder/image-work.ts";
import type { ImageFault } from "#lib/images/image-fault.ts";
import { childrenOf, unlessEnded } from "#lib/render/chromium/process-tree.ts";

const BLACK = [0, 0, 0] as [number, number, number];

/** The arguments of work that draws clouds. @param side in pixels */
export function cloudsOf(side: number): [bytes: Buffer, toning: Toning] {
  const filter = '<filter id="a"><feTurbulence baseFrequency="0.013" numOctaves="9"/></filter>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${filter}<rect width="100%" height="100%" filter="url(#a)"/></svg>`;
  const toning: Toning = { recomb: [BLACK, BLACK, BLACK], dark: BLACK, size: side, hasAlpha: false };
  return [Buffer.from(svg), toning];
}

function drawClouds(side: number, limitMs: number): Promise<Buffer | ImageFault> {
  return inDecoder("tone", cloudsOf(side), limitMs);
}

/** Work that takes so long that a test can do something meanwhile: about a second. */
export function longWork(): Promise<Buffer | ImageFault> {
  return drawClouds(1_000, 60_000);
}

/** Work that takes about a minute. */
export function endlessWork(limitMs: number): Promise<Buffer | ImageFault> {
  return drawClouds(6_000, limitMs);
}

/** The processes that decode images for a process. */
export function decoderPids(parent = process.pid): number[] {
  return childrenOf(parent).filter((pid) =>
    unlessEnded(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"), "").includes("decoder/program.ts"),
  );
}
