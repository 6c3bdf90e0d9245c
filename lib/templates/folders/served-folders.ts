import { basename } from "node:path";
import { isDevelopment, templateFolders } from "#lib/config.ts";
import { SHIPPED } from "#lib/environment/kinds.ts";
import { AppError } from "#lib/errors.ts";
import { readJsonFile } from "#lib/fonts/font-set.ts";
import { compileRegistry, isFolder, REGISTRY_FILE, SHIPPED_TEMPLATES_DIR } from "../build-registry.ts";
import type { Registry } from "../template.ts";

/** One of the folders that templates are served from. */
export type ServedFolder = {
  /** `shipped`, or the folder's own name, without the path before it. */
  name: string;
  /** The folder to compile. Undefined for the shipped templates of a build. */
  dir: string | undefined;
};

/** How many templates a folder has, and how many of them are hidden by templates of an earlier folder. */
export type FolderReport = { name: string; templates: number; hidden: number };

/** The templates of all folders, and a report on each folder. */
export type ServedRegistry = Registry & { folders: FolderReport[] };

/** The folders, in the order in which they win. @throws AppError `misconfigured` where one is missing, ConfigError */
export function servedFolders(): ServedFolder[] {
  const named = templateFolders();
  const missing = named.findIndex((entry) => entry !== SHIPPED && !isFolder(entry));
  if (missing >= 0) {
    const entry = named.length === 1 ? "SERVICE_TEMPLATES_DIR" : `Entry ${missing + 1} of SERVICE_TEMPLATES_DIR`;
    throw new AppError("misconfigured", `${entry} does not name a folder.`);
  }
  return named.map((entry) => {
    if (entry !== SHIPPED) return { name: basename(entry), dir: entry };
    return { name: SHIPPED, dir: isDevelopment() ? SHIPPED_TEMPLATES_DIR : undefined };
  });
}

/** The shipped templates of a build. @throws AppError `unavailable` where they are missing, or a copy of the build was cut short */
export function readBuiltRegistry(file = REGISTRY_FILE): Registry {
  const registry = readJsonFile(file) as Registry | undefined;
  if (!registry) throw new AppError("unavailable", 'The templates are not built, or damaged. Run "npm run templates".');
  return registry;
}

/** The slugs of a registry, faulty ones included. */
function slugsOf({ templates, faults }: Registry): string[] {
  return [...new Set([...templates, ...faults].map(({ slug }) => slug))];
}

/**
 * Compiles every folder. Where two have the same slug, the template of the first one is served, even if it is faulty:
 * otherwise a typing error would silently bring back another template.
 * @throws AppError `unavailable` when the shipped templates are not built
 */
export async function compileFolders(folders: ServedFolder[]): Promise<ServedRegistry> {
  const served: ServedRegistry = { templates: [], faults: [], folders: [] };
  const taken = new Set<string>();
  for (const { name, dir } of folders) {
    const registry = dir === undefined ? readBuiltRegistry() : await compileRegistry(dir);
    const slugs = slugsOf(registry);
    const isOwn = ({ slug }: { slug: string }) => !taken.has(slug);
    served.templates.push(...registry.templates.filter(isOwn));
    served.faults.push(...registry.faults.filter(isOwn));
    served.folders.push({ name, templates: slugs.length, hidden: slugs.filter((slug) => taken.has(slug)).length });
    for (const slug of slugs) taken.add(slug);
  }
  served.templates.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return served;
}
