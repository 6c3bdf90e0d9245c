import { describe, expect, test } from "vitest";
import { avifFault } from "#lib/images/avif/avif-work.ts";
import { BrokenAvif } from "#lib/images/avif/boxes.ts";
import { itemsOf } from "#lib/images/avif/items.ts";
import { check, dataUrl, picture } from "./files.ts";

function integer(value: number, bytes: 2 | 4): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return written;
}

function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
  return Buffer.concat([integer(content.length + 8, 4), Buffer.from(type, "latin1"), content]);
}

/** The whole box of a type in an AVIF, whose name occurs nowhere else in these files. */
function boxOf(avif: Buffer, type: string): Buffer {
  const at = avif.indexOf(type) - 4;
  return avif.subarray(at, at + avif.readUInt32BE(at));
}

const tile = (side: number) => picture(side, side).avif({ effort: 0 }).toBuffer();

/** A plain AVIF whose only picture has the same frame several times. */
async function repeatedFrame(frames: number): Promise<Buffer> {
  const avif = await tile(64);
  const data = boxOf(avif, "mdat").subarray(8);
  const content = Buffer.concat(Array<Buffer>(frames).fill(data));
  const longer = Buffer.concat([avif.subarray(0, avif.length - data.length - 8), box("mdat", content)]);
  const lengthAt = longer.indexOf(integer(data.length, 4), longer.indexOf("iloc"));
  longer.writeUInt32BE(content.length, lengthAt);
  return longer;
}

type Composed = { type: string; parts: number; items?: number; side: number; padding?: number };

/** An AVIF whose picture is composed of so many parts. All items are the same bytes. */
async function composed({ type, parts, items = 1, side, padding = 0 }: Composed): Promise<Buffer> {
  const source = await tile(side);
  // An OBU of padding makes the tile as long as one of noise.
  const obu = Buffer.concat([Buffer.from([0x7a, ...[0, 7, 14].map((shift) => ((padding >> shift) & 127) | 128), 0])]);
  const coded = Buffer.concat([
    boxOf(source, "mdat").subarray(8),
    ...(padding ? [obu, Buffer.alloc(padding, 0x80)] : []),
  ]);
  const size = [integer(parts * side, 4), integer(side, 4)];
  const recipe =
    type === "grid"
      ? Buffer.concat([Buffer.from([0, 1, 0, parts - 1]), ...size])
      : Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(8), ...size, Buffer.alloc(8 * parts)]);
  const full = (version: number) => Buffer.from([version, 0, 0, 0]);
  const entry = (id: number, kind: string) => box("infe", full(2), integer(id, 2), integer(0, 2), kind, "\0");
  const item = (id: number, method: number, at: number, { length }: Buffer) =>
    Buffer.concat([...[id, method, 0, 1].map((value) => integer(value, 2)), integer(at, 4), integer(length, 4)]);
  const ispe = (width: number) => box("ispe", full(0), integer(width, 4), integer(side, 4));
  const ids = Array.from({ length: items }, (_, index) => index + 2);
  const places = Array.from({ length: parts }, (_, index) => integer((index % items) + 2, 2));
  const metaAt = (at: number) =>
    box(
      "meta",
      full(0),
      box("hdlr", full(0), integer(0, 4), "pict", Buffer.alloc(13)),
      box("pitm", full(0), integer(1, 2)),
      box(
        "iloc",
        full(1),
        Buffer.from([0x44, 0]),
        integer(items + 1, 2),
        item(1, 1, 0, recipe),
        ...ids.map((id) => item(id, 0, at, coded)),
      ),
      box("iinf", full(0), integer(items + 1, 2), entry(1, type), ...ids.map((id) => entry(id, "av01"))),
      box("iref", full(0), box("dimg", integer(1, 2), integer(parts, 2), ...places)),
      box(
        "iprp",
        box("ipco", ispe(parts * side), ispe(side), boxOf(source, "av1C"), boxOf(source, "pixi")),
        box(
          "ipma",
          full(0),
          integer(items + 1, 4),
          Buffer.from([0, 1, 2, 1, 4]),
          ...ids.map((id) => Buffer.from([0, id, 3, 2, 0x83, 4])),
        ),
      ),
      box("idat", recipe),
    );
  const head = box("ftyp", "avif", integer(0, 4), "avifmif1miaf");
  return Buffer.concat([head, metaAt(head.length + metaAt(0).length + 8), box("mdat", coded)]);
}

describe("an AVIF, whose decoder cannot be stopped,", () => {
  test("may have four layers in one picture, but not a film, of which every frame is drawn and only the last one shown", async () => {
    expect(await check(dataUrl("avif", await repeatedFrame(4)))).toMatchObject({ pixels: 4_096 });
    for (const frames of [5, 2_000])
      expect(await check(dataUrl("avif", await repeatedFrame(frames)))).toEqual({
        fault: expect.stringMatching(/more than 4 frames|damaged/),
      });
  });

  test("may be a grid of tiles, but not of one tile, which would be the work of a much larger file", async () => {
    const grid = (items: number) => composed({ type: "grid", parts: 4, items, side: 64 });
    expect(await check(dataUrl("avif", await grid(4)))).toMatchObject({ pixels: 4 * 64 * 64 });
    expect(await check(dataUrl("avif", await grid(1)))).toEqual({ fault: expect.stringMatching(/repeats a tile/) });
  });

  test("may not have many tiles that are the same bytes of the file", async () => {
    const grid = await composed({ type: "grid", parts: 64, items: 64, side: 64, padding: 1_000 });
    expect(await check(dataUrl("avif", grid))).toEqual({ fault: expect.stringMatching(/share their bytes/) });
  });

  test("may not lay images over each other, which has no use in one picture", async () => {
    const overlay = await composed({ type: "iovl", parts: 4, side: 64 });
    expect(await check(dataUrl("avif", overlay))).toEqual({ fault: expect.stringMatching(/made of other images/) });
  });

  test("may not name the parts of its picture twice, whose lists would be joined again and again", async () => {
    const avif = await composed({ type: "grid", parts: 4, items: 4, side: 64 });
    const [meta, parts] = [avif.indexOf("meta") - 4, avif.indexOf("iref") - 4];
    const list = avif.subarray(parts + 12, parts + avif.readUInt32BE(parts));
    const withLists = (lists: Buffer[]) => {
      const references = box("iref", Buffer.alloc(4), ...lists);
      const rest = avif.subarray(parts + avif.readUInt32BE(parts));
      const changed = Buffer.concat([avif.subarray(0, parts), references, rest]);
      changed.writeUInt32BE(avif.readUInt32BE(meta) + references.length - avif.readUInt32BE(parts), meta);
      return changed;
    };
    const long = box("dimg", integer(9, 2), integer(1_001, 2), Buffer.alloc(2_002));
    expect(itemsOf(withLists([list])).get(1)?.parts).toEqual([2, 3, 4, 5]);
    for (const other of [box("dimg", integer(1, 2), integer(0, 2)), long])
      expect(() => itemsOf(withLists([list, other]))).toThrow(BrokenAvif);
  });

  test("that says twice where its bytes are is refused, because readers differ on which counts", async () => {
    const avif = await tile(64);
    const [meta, location] = [avif.indexOf("meta") - 4, boxOf(avif, "iloc")];
    const dataAt = avif.indexOf("mdat") + 4;
    // Both copies name the place that the data has once the second copy is there.
    location.writeUInt32BE(dataAt + location.length, location.indexOf(integer(dataAt, 4)));
    const end = meta + avif.readUInt32BE(meta);
    const doubled = Buffer.concat([avif.subarray(0, end), location, avif.subarray(end)]);
    doubled.writeUInt32BE(end - meta + location.length, meta);
    expect(avifFault(doubled)).toMatch(/damaged/);
  });
});
