import { mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import pLimit from "p-limit";
import { BUILD_DIR, PROJECT_DIR } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { hashShared, loadOrKeep, removeUnused } from "./folders/kept-templates.ts";
import type { LoadedTemplate, TemplateSource } from "./load-template.ts";
import { readBrand } from "./shared/brand.ts";
import { isShared } from "./shared/shared-files.ts";
import { type FileFault, MARKUP_FILE, type Registry, SLUG, type Template, type TemplateFault } from "./template.ts";
import { describeFailure, filesBelow } from "./template-files.ts";

/** The templates that ship with Platen. */
export const SHIPPED_TEMPLATES_DIR = join(/* turbopackIgnore: true */ PROJECT_DIR, "templates");

/** The compiled registry of the shipped templates. */
export const REGISTRY_FILE = join(/* turbopackIgnore: true */ BUILD_DIR, "templates.json");

/** Whether a folder exists at this path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Files that make a folder one of a template. Without the first, the folder has a fault rather than no template. */
const MAIN_FILES = ["template.json", MARKUP_FILE];

/** Finds the folders with a template, at any depth. Folders that begin with `_` hold no templates. */
export function foldersWithTemplate(root: string): string[] {
  const onUnreadable = (folder: string, error: Error) => {
    if (folder === root) throw error;
    const found = { folder: folder.slice(root.length + 1), reason: describeFailure(error) };
    log().warn(found, "A folder cannot be read. What is in it is left out.");
  };
  const found = [...filesBelow(root, { onUnreadable })]
    .filter((path) => MAIN_FILES.includes(basename(path)) && !/(?:^|[\\/])_/.test(path.slice(root.length)))
    .map(dirname);
  return [...new Set(found)].toSorted();
}

/** How often it is told how many templates are read, in milliseconds: the first check of one takes a fifth of a second. */
const PROGRESS_MS = 10_000;

/** Templates that are loaded at once: while one is checked here, processes look at the images of others. */
const CONCURRENT_LOADS = 3;

/**
 * Loads a template. One that a library fails on is left out until the next start, which tries it again.
 * @throws AppError `unavailable` when no image can be decoded now: the next request reads all templates again
 */
async function loadOrReport(source: TemplateSource, shared: string | undefined): Promise<LoadedTemplate> {
  try {
    return await loadOrKeep(source, shared);
  } catch (error) {
    if (error instanceof AppError) throw error;
    log().error({ err: error, template: source.slug }, "A template could not be checked.");
    return { faults: [{ file: MARKUP_FILE, line: 1, reason: "The check failed. The log of this process says why." }] };
  }
}

function badName(slug: string): { faults: FileFault[] } {
  const reason =
    slug === ""
      ? "Got a template in the templates folder itself. Move its files into a folder of their own, such as card."
      : `Got the folder name "${slug}", want lower-case words joined by hyphens.`;
  return { faults: [{ file: "template.json", line: 1, reason }] };
}

/**
 * Checks and compiles every template below a folder. A faulty template is reported in `faults` and does not affect the
 * others.
 * @throws Error when the folder does not exist
 */
export async function compileRegistry(root: string): Promise<Registry> {
  if (!isFolder(root)) throw new Error(`There is no templates folder "${root}". Create it, or name another one.`);
  const templates: Template[] = [];
  const faults: TemplateFault[] = [];
  const shared = hashShared(root);
  const brand = readBrand(root);
  const limit = pLimit(CONCURRENT_LOADS);
  const folders = foldersWithTemplate(root);
  const count = folders.length;
  let read = 0;
  let toldAt = performance.now();
  const tell = () => {
    read++;
    if (performance.now() - toldAt < PROGRESS_MS) return;
    toldAt = performance.now();
    log().info({ read, of: count }, "Templates are being read.");
  };
  const load = async (folder: string) => {
    const slug = folder
      .slice(root.length + 1)
      .split(sep)
      .join("/");
    // A check takes a fifth of a second, and waits for nothing where a template has no images. Probes are answered between two.
    await nextTurn();
    const loaded = SLUG.test(slug) ? await loadOrReport({ folder, slug, root, brand }, shared) : badName(slug);
    tell();
    return { slug, loaded };
  };
  const all = await Promise.all(folders.map((folder) => limit(load, folder)));
  removeUnused();
  for (const { slug, loaded } of all) {
    if ("template" in loaded) templates.push(loaded.template);
    else faults.push(...loaded.faults.map((fault) => ({ slug, ...fault })));
  }
  return { templates, faults };
}

/** File and line of a fault, relative to the templates folder, such as `social/quote/template.json:12`. */
export function placeOfFault({ slug, file, line }: TemplateFault): string {
  return isShared(file) || slug === "" ? `${file}:${line}` : `${slug}/${file}:${line}`;
}

/** Formats a fault as one line: `social/quote/template.json:12 …`. */
export function describeFault(fault: TemplateFault): string {
  const { slug, file, reason } = fault;
  return `${placeOfFault(fault)} ${isShared(file) ? `(in ${slug}) ` : ""}${reason}`;
}

/** Compiles the shipped templates and writes their registry atomically. */
export async function buildRegistry(): Promise<Registry> {
  const registry = await compileRegistry(SHIPPED_TEMPLATES_DIR);
  mkdirSync(dirname(REGISTRY_FILE), { recursive: true });
  const staging = `${REGISTRY_FILE}.${process.pid}`;
  writeFileSync(staging, JSON.stringify(registry));
  renameSync(staging, REGISTRY_FILE);
  return registry;
}
