import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readFaults } from "./faults.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "platen-faults-"));
  mkdirSync(join(dir, "tests/mutants"), { recursive: true });
  writeFileSync(join(dir, "source.ts"), "const one = 1;\nconst two = one + one;\n");
  writeFileSync(join(dir, "tests/source.test.ts"), "");
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const FAULT = { file: "source.ts", find: "= 1", replace: "= 2", tests: ["tests/source.test.ts"] };

function list(...faults: object[]): void {
  writeFileSync(join(dir, "tests/mutants/list.json"), JSON.stringify(faults));
}

it("each listed fault quotes text that its file has", () => {
  expect(readFaults(process.cwd()).length).toBeGreaterThan(0);
});

it("reads a fault whose text occurs exactly once, and the reason why another is equivalent", () => {
  const equivalent = { ...FAULT, equivalent: "Nothing reads it." };
  list(FAULT, equivalent);
  expect(readFaults(dir)).toEqual([FAULT, equivalent]);
});

it.each<[string, object, string]>([
  ["whose text is gone", { find: "= 3" }, 'source.ts has "= 3" 0 times, want exactly once.'],
  ["whose text occurs twice", { find: "const " }, 'source.ts has "const " 2 times, want exactly once.'],
  ["that changes nothing", { replace: "= 1" }, "is the same text"],
  ["of a file that is gone", { file: "gone.ts" }, "gone.ts does not exist."],
  ["whose tests are gone", { tests: ["tests/gone.test.ts"] }, "tests/gone.test.ts does not exist."],
  ["without tests", { tests: [] }, "tests/mutants/list.json"],
  ["with an unknown key", { test: "tests/source.test.ts" }, "test"],
])("refuses a fault %s", (_name, change, problem) => {
  list({ ...FAULT, ...change });
  expect(() => readFaults(dir)).toThrow(problem);
});

it("names everything that is wrong at once", () => {
  list({ ...FAULT, find: "= 3" }, FAULT, { ...FAULT, file: "gone.ts" });
  expect(() => readFaults(dir)).toThrow(/= 3(.|\n)+gone\.ts/);
});

it("reads the list with a name, and names the lists when there is no such list", () => {
  list(FAULT);
  writeFileSync(join(dir, "tests/mutants/other.json"), "[]");
  expect(readFaults(dir, "other")).toEqual([]);
  expect(readFaults(dir, "list")).toEqual([FAULT]);
  expect(() => readFaults(dir, "lost")).toThrow('Got the list "lost", want one of list.json, other.json');
});
