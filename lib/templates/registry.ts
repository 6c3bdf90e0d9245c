import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { isDevelopment, templateFolders } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { nearestByLastPart, nearestName } from "#lib/nearest-name.ts";
import { processState } from "#lib/process-state.ts";
import { describeFault } from "./build-registry.ts";
import { codeVersion } from "./folders/code-version.ts";
import { compileFolders, type ServedFolder, type ServedRegistry, servedFolders } from "./folders/served-folders.ts";
import type { Template } from "./template.ts";
import { filesBelow } from "./template-files.ts";

/** `key` changes when the registry has to be read again. */
type CachedRegistry = { key: string; registry: Promise<ServedRegistry> };

type RegistryState = {
  current: CachedRegistry | undefined;
  /** What was logged about the last registry, so that a later one logs only what is new. */
  logged: Set<string>;
  /** Whether the caller of {@link getRegistry} tells the faults. */
  isTold: boolean;
};

const cache = processState(
  "templates",
  (): RegistryState => ({ current: undefined, logged: new Set(), isTold: false }),
);

/** What tells a file from the one that was there before. Undefined for one that was removed meanwhile, and for a link that leads nowhere. */
function fileState(path: string): unknown {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs];
}

/**
 * Changes with every file below a folder. The newest time alone would miss what is renamed, what comes back from a backup with its
 * old time, and everything beside a file whose time is in the future.
 */
function stateOf(folder: string): string {
  const files = [...filesBelow(folder)].map((path) => [path, fileState(path)]);
  return createHash("sha256").update(JSON.stringify(files)).digest("base64url");
}

/** What the operator should know about a registry. */
function complaintsOf({ faults, folders }: ServedRegistry): { text: string; log: () => void }[] {
  const untold = cache.get().isTold ? [] : faults;
  const empty = folders.filter(({ templates }) => templates === 0);
  return [
    ...empty.map(({ name }) => ({
      text: name,
      log: () => log().warn({ folder: name }, "A folder of SERVICE_TEMPLATES_DIR has no template."),
    })),
    ...untold.map(describeFault).map((fault) => ({
      text: fault,
      log: () => log().warn({ fault }, "A template is faulty and not served."),
    })),
  ];
}

/** For commands that print the faults themselves: the log leaves them out. */
export function tellFaultsAlone(): void {
  cache.get().isTold = true;
}

async function compileAndReport(folders: ServedFolder[]): Promise<ServedRegistry> {
  const registry = await compileFolders(folders);
  const complaints = complaintsOf(registry);
  const { logged } = cache.get();
  // The faults of a build were printed by the build.
  if (folders.some(({ dir }) => dir !== undefined))
    for (const complaint of complaints) if (!logged.has(complaint.text)) complaint.log();
  cache.get().logged = new Set(complaints.map(({ text }) => text));
  return registry;
}

/** Changes with every file of the folders that are served. */
export function servedState(): string {
  return servedFolders()
    .map(({ dir }) => dir && `${dir}@${stateOf(dir)}`)
    .join(" ");
}

/**
 * Returns the registry that is served: the built one, or the operator's own folders compiled at first use. In
 * development they are compiled again whenever a file changes. Otherwise what was read is served until the end of the process, without
 * a look at the disk: a folder may be replaced, or its disk be away.
 * @throws AppError `unavailable` when nothing is built, `misconfigured` for a missing folder
 */
export function getRegistry(): Promise<ServedRegistry> {
  const key = isDevelopment() ? servedState() : JSON.stringify(templateFolders());
  const { current } = cache.get();
  if (current?.key === key) return current.registry;
  const registry = compileAndReport(servedFolders());
  cache.get().current = { key, registry };
  // A failure may be temporary, so the next request tries again.
  registry.catch(() => cache.reset());
  return registry;
}

/** How long a render waits for templates that are being read, in milliseconds: as long as for its picture by default. */
const READING_WAIT_MS = 30_000;

/**
 * As {@link getRegistry}, for so long: to read thousands of templates for the first time takes many minutes.
 * @throws AppError `unavailable` while they are being read; as {@link getRegistry}
 */
export async function registryWithin(limitMs: number): Promise<ServedRegistry> {
  const registry = getRegistry();
  const late = Promise.withResolvers<never>();
  const refuse = () =>
    late.reject(
      new AppError("unavailable", "The templates are being read, see the server's log.", {
        headers: { "Retry-After": "10" },
      }),
    );
  const timer = setTimeout(refuse, limitMs);
  return await Promise.race([registry, late.promise]).finally(() => clearTimeout(timer));
}

/** Reads the templates before the first request. It logs a fault instead of throwing it. */
export async function readTemplates(): Promise<void> {
  try {
    // Read now, because the sources may be replaced before the first picture is drawn.
    codeVersion();
    await getRegistry();
  } catch (error) {
    const reason = error instanceof AppError ? { reason: error.message } : { err: error };
    log().error(reason, "The templates cannot be read.");
  }
}

function unknownTemplate(slug: string, { templates, faults }: ServedRegistry): AppError {
  if (faults.some((fault) => fault.slug === slug)) {
    const message = `The template "${slug}" has faults, so it is not served. "npm run templates" names them.`;
    return new AppError("unknown_template", message);
  }
  const slugs = templates.map((template) => template.slug);
  const nearest = nearestName(slug, slugs) ?? nearestByLastPart(slug, slugs);
  const suggestion = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  const message = `There is no template "${slug.slice(0, 80)}".${suggestion} GET /api/service/templates lists them.`;
  return new AppError("unknown_template", message);
}

/** @throws AppError `unknown_template`, or as {@link registryWithin} */
export async function findTemplate(slug: string): Promise<Template> {
  const registry = await registryWithin(READING_WAIT_MS);
  const template = registry.templates.find((candidate) => candidate.slug === slug);
  if (template) return template;
  throw unknownTemplate(slug, registry);
}
