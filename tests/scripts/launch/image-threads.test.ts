import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

it("pictures that are compressed at the same time need no new threads, whose lack would end the server", () => {
  const args = ["scripts/launch.mjs", "tests/scripts/programs/encode-pictures.ts"];
  expect(execFileSync(process.execPath, args, { encoding: "utf8" }).trim()).toBe("0");
});
