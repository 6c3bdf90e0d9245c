import { expect } from "vitest";
import { renderPicture } from "#lib/render/render.ts";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { readFields } from "#lib/templates/field-values.ts";
import type { FieldValues, Template } from "#lib/templates/template.ts";
import { layoutWarnings } from "#lib/templates/warnings.ts";
import type { Measurements } from "#lib/type/fit/measurements.ts";
import { templatesRoot, writeTemplate } from "./template-folder.ts";

/** Compiles a template of these files, which must have no faults. Other files are those of `writeTemplate`. */
export async function compileCard(files: Record<string, string | Buffer>): Promise<Template> {
  const root = templatesRoot();
  writeTemplate(root, "card", files);
  const { templates, faults } = await compileRegistry(root);
  expect(faults.map(describeFault)).toEqual([]);
  return templates[0] ?? expect.fail("The template did not compile.");
}

/** Draws a template of these files with valid edits, from fields without values. */
export async function drawCard(files: Record<string, string>, data: FieldValues) {
  const template = await compileCard({ "content.json": JSON.stringify({ plain: {} }), ...files });
  const { values, issues } = await readFields({ declarations: template.fields, values: data, path: "/data" });
  expect(issues).toEqual([]);
  const picture = await renderPicture(composeDocument(template, values));
  const drawn = { template, base: {}, values, measured: picture.measured as Measurements };
  return { ...drawn, png: picture.png, warnings: layoutWarnings(drawn) };
}
