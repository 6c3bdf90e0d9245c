import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Blocks } from "#lib/http/body/blocks.ts";

function joined(pieces: Buffer[]): Buffer {
  const blocks = new Blocks();
  for (const piece of pieces) blocks.append(piece);
  return blocks.take();
}

describe("bytes that arrive in pieces", () => {
  it.each([
    ["nothing", []],
    ["an empty piece", [0]],
    ["one piece", [300]],
    ["one large piece", [1_000_000]],
    ["pieces of a byte", new Array(9_000).fill(1)],
    ["small pieces after a large one, and a large one after them", [70_000, 1, 2, 3, 300_000]],
    ["pieces as a socket reads them", new Array(100).fill(65_536)],
    ["empty pieces between others", [5, 0, 5_000, 0, 1]],
  ])("are the same as a whole: %s", (_what, lengths) => {
    const pieces = lengths.map((length) => randomBytes(length));
    expect(joined(pieces).equals(Buffer.concat(pieces))).toBe(true);
  });

  it("are counted", () => {
    const blocks = new Blocks();
    for (const length of [10, 5_000, 300_000]) blocks.append(randomBytes(length));
    expect(blocks.length).toBe(305_010);
  });

  it("take little more memory than they are, also once they are whole", () => {
    const before = process.memoryUsage().arrayBuffers;
    const taken = () => process.memoryUsage().arrayBuffers - before;
    const blocks = new Blocks();
    const piece = Buffer.alloc(65_536);
    // One piece more than what the blocks have doubled to.
    while (blocks.length < 64 * piece.length + 1) blocks.append(piece);
    expect(taken()).toBeLessThan(blocks.length + 524_288);
    const whole = blocks.take();
    expect(taken()).toBeLessThan(whole.length + 524_288);
  });
});
