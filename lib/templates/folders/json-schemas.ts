import { join } from "node:path";
import { z } from "zod";
import { PROJECT_DIR } from "#lib/config.ts";
import { brandFile } from "../shared/brand.ts";
import { templateContent, templateManifest } from "../template.ts";

/** Where the JSON Schemas are, which editors follow. */
export const SCHEMAS_DIR = join(/* turbopackIgnore: true */ PROJECT_DIR, "docs/schemas");

const FILES = {
  "template.schema.json": { title: "A Platen template: its size and fields", schema: templateManifest },
  "content.schema.json": { title: "The variants of a Platen template, and their values", schema: templateContent },
  "brand.schema.json": { title: "The brand of a folder of Platen templates", schema: brandFile },
};

/** The JSON Schema of each JSON file of a template, by file name. Editors complete and check with them. */
export function jsonSchemas(): Record<string, object> {
  const entries = Object.entries(FILES).map(([file, { title, schema }]) => {
    const made = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    const { $schema, properties, propertyNames, ...rest } = made;
    // Each file may name its schema, also where all other names are those of variants.
    const own = { $schema: { type: "string" }, ...properties };
    const names = propertyNames && { propertyNames: { anyOf: [{ const: "$schema" }, propertyNames] } };
    return [file, { $schema, title, ...rest, ...names, properties: own }] as const;
  });
  return Object.fromEntries(entries);
}
