import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { captureLog } from "#tests/captured-log.ts";
import { templatesRoot, writeTemplate } from "../template-folder.ts";

vi.mock("node:fs", { spy: true });

const { readdirSync: usualList, readFileSync: usualRead } = await vi.importActual<typeof import("node:fs")>("node:fs");

/** These tests may run as root, who may read every file. */
function forbid(...ends: string[]): void {
  const refused = (usual: (...args: never[]) => unknown) => (path: unknown, options: unknown) => {
    if (ends.some((end) => String(path).endsWith(end)))
      throw Object.assign(new Error("permission denied"), { code: "EACCES", syscall: "open" });
    return usual(path as never, options as never);
  };
  vi.mocked(readdirSync).mockImplementation(refused(usualList) as never);
  vi.mocked(readFileSync).mockImplementation(refused(usualRead) as never);
}

beforeEach(() => forbid());

async function compile(root: string) {
  const { templates, faults } = await compileRegistry(root);
  return { served: templates.map(({ slug }) => slug), faults: faults.map(describeFault) };
}

test("a folder that cannot be read, as on a volume of its own, is told and affects no template", async () => {
  const root = templatesRoot();
  writeTemplate(root, "good");
  mkdirSync(join(root, "lost+found"));
  const lines = captureLog();
  forbid("lost+found");
  expect(await compile(root)).toEqual({ served: ["good"], faults: [] });
  expect(lines.filter((line) => line.includes('"folder":"lost+found"'))).toHaveLength(1);
});

test("assets that cannot be read are faults of their template, by their names", async () => {
  const root = templatesRoot();
  writeTemplate(root, "good");
  writeTemplate(root, "odd", { "assets/inner/photo.png": "x", "assets/logo.png": "x" });
  forbid("assets/inner", "logo.png");
  expect(await compile(root)).toEqual({
    served: ["good"],
    faults: ["odd/assets/inner:1 It cannot be read (EACCES).", "odd/assets/logo.png:1 It cannot be read (EACCES)."],
  });
});

/** Named as archives from Windows unpack: the ü of Latin-1 is no UTF-8. */
function makeLatinFolder(parent: string): void {
  mkdirSync(Buffer.concat([Buffer.from(`${parent}/entw`), Buffer.from([0xfc]), Buffer.from("rfe")]));
}

test("a folder whose name is not in UTF-8 is told and affects no other template", async () => {
  const root = templatesRoot();
  writeTemplate(root, "good");
  writeTemplate(root, "odd", { "assets/logo.png": "x" });
  makeLatinFolder(root);
  makeLatinFolder(join(root, "odd", "assets"));
  const lines = captureLog();
  const { served, faults } = await compile(root);
  expect(served).toEqual(["good"]);
  expect(faults).toContain("odd/assets/entw\ufffdrfe:1 Its name is not in UTF-8. Rename it.");
  expect(lines.filter((line) => line.includes("Its name is not in UTF-8."))).toHaveLength(2);
});

test("shared files that cannot be read are faults of the templates that use them", async () => {
  const root = templatesRoot();
  writeTemplate(root, "good");
  writeTemplate(root, "branded", { "style.css": "h1 { color: var(--brand-primary); }\n" });
  writeTemplate(root, "parted", { "template.html": '<h1>{{ title }}</h1>{% include "_parts/foot.html" %}\n' });
  mkdirSync(join(root, "_parts"));
  writeFileSync(join(root, "_parts", "foot.html"), "<p>Foot</p>");
  writeFileSync(join(root, "brand.json"), "{}");
  forbid("brand.json", "_parts", "foot.html");
  expect(await compile(root)).toEqual({
    served: ["good"],
    faults: [
      "brand.json:1 (in branded) It cannot be read (EACCES).",
      'parted/template.html:1 "_parts/foot.html" cannot be read (EACCES).',
    ],
  });
});
