import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT_DIR } from "#lib/config.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { fieldDeclaration } from "#lib/templates/fields/field-types.ts";
import { readFieldExamples, writeFieldTemplates } from "#scripts/pictures/field-pictures.ts";
import { templatesRoot } from "#tests/templates/template-folder.ts";

test("every type of field has an example with a picture, which declares such a field", () => {
  const examples = readFieldExamples();
  const types = fieldDeclaration.options.map(({ shape }) => shape.type.value);
  expect(examples.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
  for (const { type, fields, picture } of examples) {
    expect(Object.values(fields as Record<string, { type: string }>).map((field) => field.type)).toContain(type);
    expect(existsSync(join(PROJECT_DIR, "docs", picture)), picture).toBe(true);
  }
});

test("every example is a template without a fault", async () => {
  const root = templatesRoot();
  writeFieldTemplates(root);
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  expect(templates).toHaveLength(readFieldExamples().length);
});
