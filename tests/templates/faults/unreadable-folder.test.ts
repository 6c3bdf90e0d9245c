import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { captureLog } from "#tests/captured-log.ts";
import { templatesRoot, writeTemplate } from "../template-folder.ts";

vi.mock("node:fs", { spy: true });

test("a folder that may not be read, as on a volume of its own, is told and affects no template", async () => {
  const root = templatesRoot();
  writeTemplate(root, "good");
  mkdirSync(join(root, "lost+found"));
  const lines = captureLog();
  const { readdirSync: usual } = await vi.importActual<typeof import("node:fs")>("node:fs");
  // These tests may run as root, who may read every folder.
  vi.mocked(readdirSync).mockImplementation(((path: string, options: never) => {
    if (path.endsWith("lost+found")) throw Object.assign(new Error("permission denied"), { code: "EACCES" });
    return usual(path, options);
  }) as never);
  const { templates, faults } = await compileRegistry(root);
  expect(templates.map(({ slug }) => slug)).toEqual(["good"]);
  expect(faults).toEqual([]);
  expect(lines.filter((line) => line.includes('"folder":"lost+found"'))).toHaveLength(1);
});
