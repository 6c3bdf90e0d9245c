import { tmpdir } from "node:os";
import { expect, test, vi } from "vitest";
import { explainDisk, LOG_FILE_BYTES, roomIn } from "#lib/db/embedded/unusable-data.ts";
import { explainFileFault } from "#lib/file-faults.ts";
import { pictureRoom, requireRoom } from "#lib/render/chromium/disk-space.ts";
import { lookAtDisk } from "#lib/status/machine.ts";

/** Its file system says that it has no room at all, neither free nor used, as a `tmpfs` without a limit does. */
const UNKNOWN = "/proc";

test("a folder without room for a browser is named, with what to do", () => {
  let fault: unknown;
  try {
    requireRoom(tmpdir(), Number.MAX_SAFE_INTEGER);
  } catch (error) {
    fault = error;
  }
  expect(explainFileFault(fault)).toMatch(/^ENOSPC: user \S+ cannot write \S+\. The disk is full\. Make room\.$/);
});

test("a disk that tells no room, neither free nor used, is not taken for a full one", async () => {
  requireRoom(UNKNOWN, Number.MAX_SAFE_INTEGER);
  expect(roomIn(UNKNOWN)).toBeGreaterThan(LOG_FILE_BYTES);
  const fault = new Error("Aborted()");
  expect(explainDisk(UNKNOWN, fault)).toBe(fault);
  vi.stubEnv("SERVICE_DATA_DIR", UNKNOWN);
  expect(await lookAtDisk()).toMatchObject({ state: "ok", details: [{ value: null }, { value: expect.any(Number) }] });
});

test("a picture needs room for its pixels, several times where the browser has not drawn one of its size before it", () => {
  const card = { width: 1_200, height: 630 };
  const sheet = { width: 1_240, height: 1_754 };
  expect(pictureRoom(card)).toBe(4_000_000 + 3.25 * 4 * 1_200 * 630);
  expect(pictureRoom(sheet, card)).toBe(pictureRoom(sheet));
  expect(pictureRoom(sheet, sheet)).toBe(4_000_000 + 4 * 1_240 * 1_754);
});
