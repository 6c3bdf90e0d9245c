import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_DIR } from "#lib/config.ts";

/** Where the repository's own files are shown here. */
const PAGE_OF_FILE: Record<string, string> = { "docs/templates.md": "/docs/templates" };

const LINK_TARGET = /(?<=\]\()[^)#\s]+(?=[)#])/g;

/** Text of a file of the repository. What it says of other files leads to their pages. */
function readText(file: string): string {
  // Named to the build in `outputFileTracingIncludes`.
  const text = readFileSync(join(/* turbopackIgnore: true */ PROJECT_DIR, file), "utf8");
  return text.replace(LINK_TARGET, (target) => PAGE_OF_FILE[target] ?? target);
}

/** How a template is written. */
export function writeTemplateGuide(): string {
  return readText("docs/templates.md").replace(/^# .*\n+/, "");
}

/** The sections of the README for whoever runs the service; the others are for whoever comes across it. */
const OPERATING = ["Accounts and tokens", "Configuration", "Running it", "Watching it", "What Platen refuses to do"];

/** What whoever runs the service has to know. @throws Error when a section is missing */
export function writeOperations(): string {
  const sections = readText("README.md").split(/^(?=## )/m);
  return OPERATING.map((title) => {
    const section = sections.find((text) => text.startsWith(`## ${title}\n`));
    if (section === undefined) throw new Error(`README.md has no section "${title}".`);
    return section.trim();
  }).join("\n\n");
}
