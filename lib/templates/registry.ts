import { existsSync, readFileSync, statSync } from "node:fs";
import { isDevelopment, templatesDir } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { nearestName } from "#lib/nearest-name.ts";
import { processState } from "#lib/process-state.ts";
import { compileRegistry, describeFault, isFolder, REGISTRY_FILE, SHIPPED_TEMPLATES_DIR } from "./build-registry.ts";
import type { Registry, Template } from "./template.ts";
import { filesBelow } from "./template-files.ts";

/** `key` changes when the registry has to be read again. */
type CachedRegistry = { key: string; registry: Promise<Registry> };

const cache = processState("templates", (): { current: CachedRegistry | undefined } => ({ current: undefined }));

/** The time of the newest change below a folder, in milliseconds. */
function lastChange(folder: string): number {
  return Math.max(0, ...[...filesBelow(folder)].map((path) => statSync(path).mtimeMs));
}

function readRegistryFile(): Registry {
  if (!existsSync(REGISTRY_FILE))
    throw new AppError("unavailable", 'The templates are not built. Run "npm run templates".');
  return JSON.parse(readFileSync(REGISTRY_FILE, "utf8"));
}

async function compileAndReport(folder: string): Promise<Registry> {
  const registry = await compileRegistry(folder);
  for (const fault of registry.faults)
    log().warn({ fault: describeFault(fault) }, "A template is faulty and not served.");
  return registry;
}

/**
 * Returns the registry that is served: the built one, or the operator's own folder compiled at first use. In
 * development it is compiled again whenever a file changes.
 * @throws AppError `unavailable` when nothing is built, `misconfigured` for a missing folder
 */
export function getRegistry(): Promise<Registry> {
  const ownFolder = templatesDir();
  if (ownFolder && !isFolder(ownFolder)) {
    throw new AppError("misconfigured", "SERVICE_TEMPLATES_DIR does not name a folder.");
  }
  const folder = ownFolder ?? (isDevelopment() ? SHIPPED_TEMPLATES_DIR : undefined);
  const key = folder ? `${folder}@${isDevelopment() ? lastChange(folder) : ""}` : REGISTRY_FILE;
  const { current } = cache.get();
  if (current?.key === key) return current.registry;
  const registry = folder ? compileAndReport(folder) : Promise.resolve(readRegistryFile());
  cache.get().current = { key, registry };
  // A failure may be temporary, so the next request tries again.
  registry.catch(() => cache.reset());
  return registry;
}

/** Reads the templates before the first request. It logs a fault instead of throwing it. */
export async function readTemplates(): Promise<void> {
  try {
    await getRegistry();
  } catch (error) {
    const reason = error instanceof AppError ? { reason: error.message } : { err: error };
    log().error(reason, "The templates cannot be read.");
  }
}

function unknownTemplate(slug: string, templates: Template[]): AppError {
  const nearest = nearestName(
    slug,
    templates.map((template) => template.slug),
  );
  const suggestion = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  const message = `There is no template "${slug.slice(0, 80)}".${suggestion} GET /api/service/templates lists them.`;
  return new AppError("unknown_template", message);
}

/** @throws AppError `unknown_template` */
export async function findTemplate(slug: string): Promise<Template> {
  const { templates } = await getRegistry();
  const template = templates.find((candidate) => candidate.slug === slug);
  if (template) return template;
  throw unknownTemplate(slug, templates);
}
