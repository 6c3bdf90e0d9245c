import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SLUG } from "../template.ts";
import { servedFolders } from "./served-folders.ts";

/** Where a template is: its own folder, and the templates folder around it. */
export type TemplateHome = { folder: string; root: string };

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The first of the served folders that has the template. Undefined where none has it, and for the templates of a build. */
export function findHome(slug: string): TemplateHome | undefined {
  const roots = SLUG.test(slug) ? servedFolders().flatMap(({ dir }) => dir ?? []) : [];
  return roots
    .map((root) => ({ folder: join(/* turbopackIgnore: true */ root, ...slug.split("/")), root }))
    .find(({ folder }) => namesIn(folder).includes("template.json"));
}
