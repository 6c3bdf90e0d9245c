import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PROJECT_DIR, templateFolders } from "#lib/config.ts";
import { SHIPPED } from "#lib/environment/kinds.ts";
import { describeFault, SHIPPED_TEMPLATES_DIR } from "#lib/templates/build-registry.ts";
import { SCHEMAS_DIR } from "#lib/templates/folders/json-schemas.ts";
import { loadTemplate } from "#lib/templates/load-template.ts";
import { readBrand } from "#lib/templates/shared/brand.ts";
import { SLUG } from "#lib/templates/template.ts";
import { loadEnvironment } from "#scripts/environment.ts";
import { HelpRequest, UsageError } from "#scripts/run-command.ts";
import { shownPath } from "#scripts/shown-path.ts";

const USAGE = `Makes the folder of a new template, which renders and passes the proof.

  npm run templates -- new <slug> [--dir <folder>]

  <slug>           such as social/card: lower-case words joined by hyphens, and folders
  --dir <folder>   the templates folder; without it, the first one of SERVICE_TEMPLATES_DIR that is not Platen's own,
                   else Platen's own`;

const STARTER_DIR = join(PROJECT_DIR, "scripts/templates/starter");

function readArguments(args: string[]): { slug: string; root: string } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { dir: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  const [slug, ...rest] = positionals;
  if (values.help) throw new HelpRequest(USAGE);
  if (slug === undefined || rest.length > 0)
    throw new UsageError(`Got ${slug === undefined ? "no slug" : "several slugs"}, want one.\n\n${USAGE}`);
  if (!SLUG.test(slug))
    throw new UsageError(`Got the slug "${slug}", want lower-case words joined by hyphens, such as social/card.`);
  const root = values.dir ?? templateFolders().find((folder) => folder !== SHIPPED) ?? SHIPPED_TEMPLATES_DIR;
  return { slug, root: resolve(root) };
}

/** `social/year-in-review` as `Year in review`. */
function titleOf(slug: string): string {
  const words = (slug.split("/").at(-1) ?? slug).replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Commands with what they do, which starts in one column. */
function inColumns(rows: [command: string, does: string][]): string {
  const width = Math.max(...rows.map(([command]) => command.length));
  return rows.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`).join("\n");
}

/** Makes a template folder. @throws UsageError for wrong arguments, or a folder that is there already */
export async function newTemplate(args: string[]): Promise<void> {
  loadEnvironment("production");
  const { slug, root } = readArguments(args);
  const folder = join(root, slug);
  if (existsSync(folder)) throw new UsageError(`${folder} is there already. Choose another slug.`);
  mkdirSync(folder, { recursive: true });
  const schemas = relative(folder, SCHEMAS_DIR).replaceAll("\\", "/");
  for (const file of readdirSync(STARTER_DIR)) {
    const text = readFileSync(join(STARTER_DIR, file), "utf8");
    writeFileSync(
      join(folder, file),
      text.replace("SCHEMAS", schemas).replace('"TITLE"', JSON.stringify(titleOf(slug))),
    );
  }
  const loaded = await loadTemplate({ folder, slug, root, brand: readBrand(root) });
  const faults = "faults" in loaded ? loaded.faults : [];
  for (const fault of faults) console.error(describeFault({ slug, ...fault }));
  const env = root === SHIPPED_TEMPLATES_DIR ? "" : `SERVICE_TEMPLATES_DIR=${shownPath(root)} `;
  const next = inColumns([
    [`${env}npm run dev`, "shows it, and follows each change"],
    [`${env}npm run render -- ${slug} -o card.png`, "draws it"],
    [`${env}npm run templates -- proof ${slug}`, "looks for faults with difficult contents"],
  ]);
  console.log(`Wrote ${shownPath(folder)}. Next:\n${next}`);
}
