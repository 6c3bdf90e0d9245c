import { setImmediate } from "node:timers/promises";
import type { Sharp } from "sharp";
import { expect, it, onTestFinished, vi } from "vitest";
import { overlapFaults } from "#lib/proof/oracle/ink-faults.ts";
import { type ExaminedPage, readCaptures } from "#lib/proof/page/examine.ts";
import { type InkedStrip, sharedInk } from "#lib/proof/page/ink.ts";
import { type PlacedStrip, planInk, type Strip } from "#lib/proof/page/ink-plan.ts";
import type { Box, TextUnit } from "#lib/proof/page/text-unit.ts";
import { sharp } from "#lib/sharp.ts";
import { mapInPieces } from "#lib/slices.ts";

const SIDE = 40;
const REGION: Box = { left: 0, top: 0, right: SIDE, bottom: SIDE };
const UNIT = { id: 0 } as TextUnit;

const stripAt = (picture: number, channel: PlacedStrip["channel"] = 0): PlacedStrip => ({
  unit: UNIT,
  line: 0,
  box: REGION,
  region: REGION,
  isColorful: false,
  picture,
  channel,
});

it("lines in the same place get channels of their own, and each is looked at once", async () => {
  let looks = 0;
  const strips = Array.from(
    { length: 200 },
    (_, line): Strip => ({
      unit: UNIT,
      line,
      box: REGION,
      region: REGION,
      get isColorful() {
        looks++;
        return line % 10 === 0;
      },
    }),
  );
  const placed = await planInk(strips);
  expect(looks).toBeLessThanOrEqual(2 * strips.length);
  const slots = placed.flatMap(({ picture, channel }) =>
    (channel === 3 ? [0, 1, 2] : [channel]).map((own) => `${picture}/${own}`),
  );
  expect(new Set(slots).size).toBe(slots.length);
  expect(Math.max(...placed.map(({ picture }) => picture))).toBe(200 / 10 + 180 / 3 - 1);
});

it("shared ink is looked for only where both lines have ink", () => {
  let looks = 0;
  const ink = { left: 10, top: 10, right: 15, bottom: 15 };
  const inked = (): InkedStrip => ({
    ...stripAt(0),
    area: REGION,
    ink,
    cover: new Proxy(new Uint8Array(SIDE * SIDE).fill(255), {
      get: (cover, at) => {
        looks++;
        return Reflect.get(cover, at);
      },
    }),
  });
  expect(sharedInk(inked(), inked())).toEqual({ pixels: 25, box: ink });
  expect(looks).toBeLessThanOrEqual(2 * 25);
});

it("of many lines at one place, five hundred pairs are reported", async () => {
  const cover = new Uint8Array(SIDE * SIDE).fill(255);
  const strips = Array.from(
    { length: 60 },
    (_, id): InkedStrip => ({
      ...stripAt(0),
      unit: { id, field: "", text: `text ${id}` } as TextUnit,
      area: REGION,
      ink: { left: 0, top: 0, right: 3, bottom: 3 },
      cover,
    }),
  );
  expect(await overlapFaults({ strips } as ExaminedPage)).toHaveLength(500);
  expect(await overlapFaults({ strips: strips.slice(0, 10) } as ExaminedPage)).toHaveLength((10 * 9) / 2);
});

it("one of the pictures of texts that overlap is decoded at a time", async () => {
  const create = { width: SIDE, height: SIDE, channels: 3 as const, background: "#ff0000" };
  const png = await sharp({ create }).png().toBuffer();
  const decode = sharp.prototype.toBuffer;
  let underWay = 0;
  let most = 0;
  const decodes = vi.spyOn(sharp.prototype, "toBuffer").mockImplementation(async function (this: Sharp, ...options) {
    most = Math.max(most, ++underWay);
    return await decode.apply(this, options).finally(() => underWay--);
  });
  onTestFinished(() => decodes.mockRestore());
  const ink = Array.from({ length: 20 }, () => png);
  const strips = ink.map((_, picture) => stripAt(picture));
  const faces = { units: new Map(), words: [] };
  const page = await readCaptures(png, { units: [UNIT], strips, ground: png, ink, faces });
  expect(page.strips.map((strip) => strip.ink)).toEqual(ink.map(() => REGION));
  expect(most).toBe(1);
});

/** Keeps the thread busy. */
function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it("what takes long is done in order, and everything else gets turns meanwhile", async () => {
  let isOver = false;
  let turns = 0;
  const others = async () => {
    for (; !isOver; turns++) await setImmediate();
  };
  const waiting = others();
  const list = Array.from({ length: 20 }, (_, index) => index);
  const mapped = await mapInPieces(list, (item, index) => {
    compute(10);
    return [item, index];
  });
  isOver = true;
  await waiting;
  expect(mapped).toEqual(list.map((item) => [item, item]));
  expect(turns).toBeGreaterThanOrEqual(list.length - 1);
});
