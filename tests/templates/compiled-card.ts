import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach } from "vitest";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { templatesRoot, writeTemplate } from "./template-folder.ts";

export const PIXEL = Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=", "base64");

/** The folder of templates of the test that runs. */
export let root: string;

/** Gives each test of a file a folder of templates. */
export function useTemplatesRoot(): void {
  beforeEach(() => {
    root = templatesRoot();
  });
}

/** Writes a card and the shared files of its folder, and compiles them. */
export async function compile(files: Record<string, string>, shared: Record<string, string | Buffer> = {}) {
  writeTemplate(root, "social/card", files);
  writeTemplate(root, "_parts", {});
  for (const [file, text] of Object.entries(shared)) writeFileSync(join(root, file), text);
  const { templates, faults } = await compileRegistry(root);
  return { template: templates[0], slugs: templates.map(({ slug }) => slug), faults: faults.map(describeFault) };
}
