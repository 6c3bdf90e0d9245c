import { expect, test } from "vitest";
import { explainFileFault } from "#lib/file-faults.ts";
import { requireRoom } from "#lib/render/chromium/disk-space.ts";

/** Its file system has no room at all. */
const FULL = "/proc";

test("a folder without room for a browser is named, with what to do", () => {
  let fault: unknown;
  try {
    requireRoom(FULL);
  } catch (error) {
    fault = error;
  }
  expect(explainFileFault(fault)).toMatch(/^ENOSPC: user \S+ cannot write \/proc\. The disk is full\. Make room\.$/);
});
