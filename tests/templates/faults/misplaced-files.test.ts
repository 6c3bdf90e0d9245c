import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { templatesRoot, writeTemplate } from "../template-folder.ts";

test("a template without template.json is a fault rather than no template", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "Template.json": "{}" });
  rmSync(join(root, "card/template.json"));
  const { faults } = await compileRegistry(root);
  expect(faults.map(describeFault)).toEqual(["card/template.json:1 The file is missing."]);
});

test("a template in the templates folder itself is told where to go", async () => {
  const root = templatesRoot();
  writeTemplate(root, ".");
  const { faults } = await compileRegistry(root);
  expect(faults.map(describeFault)).toEqual([
    "template.json:1 Got a template in the templates folder itself. Move its files into a folder of their own, such as card.",
  ]);
});
