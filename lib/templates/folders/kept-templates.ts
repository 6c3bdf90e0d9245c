import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { renderConfig } from "#lib/config.ts";
import { processState } from "#lib/process-state.ts";
import { type LoadedTemplate, loadTemplate, type TemplateSource } from "../load-template.ts";
import { BRAND_FILE, PARTS_FOLDER } from "../shared/shared-files.ts";
import { filesBelow, mayPass } from "../template-files.ts";
import { codeVersion } from "./code-version.ts";
import { existing, hashFiles } from "./hash-files.ts";

/** The result of a check, and the hash of everything that it read. */
type Kept = { key: string; loaded: LoadedTemplate };

/** What was checked in this process, by the folder of the template. */
const checked = processState("checked-templates", () => new Map<string, Kept>());

/** What all templates of a folder share, and the version of the check, as a hash. Undefined where nothing may be kept. */
export function hashShared(root: string): string | undefined {
  const check = codeVersion();
  if (check === undefined) return undefined;
  const hash = createHash("sha256").update(check);
  const parts = join(/* turbopackIgnore: true */ root, PARTS_FOLDER);
  const brand = existing(join(/* turbopackIgnore: true */ root, BRAND_FILE));
  hashFiles(hash, root, [...brand, ...(existsSync(parts) ? filesBelow(parts) : [])]);
  return hash.digest("hex");
}

function keptFolder(): string {
  return join(/* turbopackIgnore: true */ renderConfig().dataDir, "checked-templates");
}

function fileOf({ folder }: TemplateSource): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return join(/* turbopackIgnore: true */ keptFolder(), `${name}.json`);
}

/** Sets the time of a file, where it may be written. */
function markUsed(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Another process owns the data folder, and marks what it uses.
  }
}

function readKept(source: TemplateSource): Kept | undefined {
  try {
    const file = fileOf(source);
    const kept = JSON.parse(readFileSync(file, "utf8")) as Kept;
    markUsed(file);
    return kept;
  } catch {
    return undefined;
  }
}

/** Results that no start has used for half a year are removed: their folders are gone, or no server reads them any more. */
const UNUSED_MS = 180 * 24 * 60 * 60_000;

/** Removes results that no start has used for long. Call it when all templates are read, because reading marks what is used. */
export function removeUnused(): void {
  try {
    for (const name of readdirSync(keptFolder())) {
      const path = join(/* turbopackIgnore: true */ keptFolder(), name);
      if (Date.now() - statSync(path).mtimeMs > UNUSED_MS) rmSync(path, { force: true });
    }
  } catch {
    // There are no results, or another process removes them: a later start finds the rest.
  }
}

/** Keeps a result for the next process, where the data folder can be written. Each template has one file. */
function writeKept(source: TemplateSource, kept: Kept): void {
  try {
    const file = fileOf(source);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const staging = `${file}.${process.pid}`;
    writeFileSync(staging, JSON.stringify(kept), { mode: 0o600 });
    renameSync(staging, file);
  } catch {
    // The check is repeated at the next start.
  }
}

/** Everything that a check of a template reads, as a hash. */
function keyOf({ folder, slug }: TemplateSource, shared: string): string {
  const hash = createHash("sha256").update(`${shared} ${slug}\n`);
  hashFiles(hash, folder, filesBelow(folder));
  return hash.digest("hex");
}

/** How often a template is read at most whose files change meanwhile. */
const MOST_READS = 3;

/**
 * Loads a template, or returns what an earlier load found in the same files, in this process or in one before it. What was read while
 * files changed is a mixture of old and new, so it is not kept: it would be shown whenever the old files come back.
 * @param shared from {@link hashShared}, from before the brand was read
 */
export async function loadOrKeep(source: TemplateSource, shared: string | undefined): Promise<LoadedTemplate> {
  if (shared === undefined) return await loadTemplate(source);
  const { folder, root } = source;
  for (let reads = 1; ; reads++) {
    const key = keyOf(source, shared);
    const known = checked.get().get(folder) ?? readKept(source);
    if (known?.key === key) {
      checked.get().set(folder, known);
      return known.loaded;
    }
    const loaded = await loadTemplate(source);
    const isPassing = "faults" in loaded && loaded.faults.some(mayPass);
    if (isPassing || hashShared(root) !== shared) return loaded;
    if (keyOf(source, shared) === key) {
      checked.get().set(folder, { key, loaded });
      writeKept(source, { key, loaded });
      return loaded;
    }
    if (reads === MOST_READS) return loaded;
  }
}
