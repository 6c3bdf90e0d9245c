import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { nearestName } from "#lib/nearest-name.ts";
import { readJson } from "../json-file.ts";
import type { Brand, FileFault } from "../template.ts";
import { describeFailure, FileRefused, readText } from "../template-files.ts";
import { BRAND_FILE } from "./shared-files.ts";

const name = z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/, "want a lower-case letter, then letters and digits");

/** The schema of `brand.json`. */
export const brandFile = z.strictObject({
  colors: z
    .record(name, z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, "want an opaque hex colour such as #1d4ed8"))
    .default({}),
  families: z
    .record(
      name,
      z.string().regex(/^[\w ]+(?:, (?:serif|sans-serif|monospace))?$/, 'want a font family such as "Fraunces, serif"'),
    )
    .default({}),
  logo: z
    .string()
    .regex(/^_parts\//, "want a picture in _parts, such as _parts/logo.svg")
    .optional(),
});

export type ReadBrand = { brand: Brand } | { faults: FileFault[] } | undefined;

/** Reads the brand of a templates folder. Undefined where it has none. */
export function readBrand(root: string): ReadBrand {
  const path = join(/* turbopackIgnore: true */ root, BRAND_FILE);
  if (!existsSync(path)) return undefined;
  try {
    const read = readJson({ file: BRAND_FILE, text: readText(path, root), schema: brandFile });
    return "faults" in read ? read : { brand: read.value };
  } catch (error) {
    const line = error instanceof FileRefused ? error.line : 1;
    return { faults: [{ file: BRAND_FILE, line, reason: describeFailure(error) }] };
  }
}

/** Whether a file of a template names the brand: `brand.…` in Liquid and JSON, `--brand-…` in CSS. */
export function namesBrand(text: string): boolean {
  return /\bbrand\.|--(?:font-)?brand-/.test(text);
}

/** The custom properties of a brand: `--brand-<color>` and `--font-brand-<family>`. */
export function brandStyles({ colors, families }: Brand): string {
  const lines = [
    ...Object.entries(colors).map(([key, color]) => `--brand-${key}:${color}`),
    ...Object.entries(families).map(([key, family]) => {
      const [named = "", generic = "sans-serif"] = family.split(", ");
      return `--font-brand-${key}:"${named}",${generic}`;
    }),
  ];
  return lines.length === 0 ? "" : `:root{${lines.join(";")}}`;
}

/**
 * Replaces a value such as `brand.colors.primary` of a default or a variant. Other values stay.
 * @throws FileRefused when the brand has no such value
 */
export function brandValue(value: unknown, brand: Brand | undefined): unknown {
  const [, group, key = ""] =
    typeof value === "string" ? (/^brand\.(?:(colors|families)\.([a-zA-Z0-9]+)|logo)$/.exec(value) ?? []) : [];
  if (value !== "brand.logo" && group === undefined) return value;
  const values = group === undefined ? undefined : brand?.[group as "colors" | "families"];
  const found = group === undefined ? brand?.logo : values && Object.hasOwn(values, key) ? values[key] : undefined;
  if (found === undefined) {
    const nearest = nearestName(key, Object.keys(values ?? {}));
    const advice = nearest === undefined ? "" : `, want "brand.${group}.${nearest}"`;
    throw new FileRefused(`Got "${value}", which ${BRAND_FILE} does not have${advice}`);
  }
  return found;
}
