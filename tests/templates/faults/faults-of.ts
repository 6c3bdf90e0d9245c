import { expect } from "vitest";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { templatesRoot, writeTemplate } from "../template-folder.ts";

/** The faults of a template with these files. The good template beside it must still be served. */
export async function faultsOf(files: Record<string, string | Buffer>): Promise<string[]> {
  const root = templatesRoot();
  writeTemplate(root, "good");
  writeTemplate(root, "social/faulty", files);
  const { templates, faults } = await compileRegistry(root);
  expect(templates.map((template) => template.slug)).toEqual(["good"]);
  return faults.map(describeFault);
}
