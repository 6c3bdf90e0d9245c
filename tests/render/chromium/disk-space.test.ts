import { expect, test } from "vitest";
import { explainFileFault } from "#lib/file-faults.ts";
import { pictureRoom, requireRoom } from "#lib/render/chromium/disk-space.ts";

/** Its file system has no room at all. */
const FULL = "/proc";

test("a folder without room for a browser is named, with what to do", () => {
  let fault: unknown;
  try {
    requireRoom(FULL, 1);
  } catch (error) {
    fault = error;
  }
  expect(explainFileFault(fault)).toMatch(/^ENOSPC: user \S+ cannot write \/proc\. The disk is full\. Make room\.$/);
});

test("a picture needs room for its pixels, several times where the browser has not drawn one of its size before it", () => {
  const card = { width: 1_200, height: 630 };
  const sheet = { width: 1_240, height: 1_754 };
  expect(pictureRoom(card)).toBe(4_000_000 + 3.25 * 4 * 1_200 * 630);
  expect(pictureRoom(sheet, card)).toBe(pictureRoom(sheet));
  expect(pictureRoom(sheet, sheet)).toBe(4_000_000 + 4 * 1_240 * 1_754);
});
