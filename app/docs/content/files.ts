import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_DIR } from "#lib/config.ts";

/** The pages of files of the repository. */
const PAGE_OF_FILE: Record<string, string> = { "docs/templates.md": "/docs/templates" };

/** A link to a file: its text, the file, and the heading in it. */
const FILE_LINK = /(?<!!)\[([^\]]+)\]\((?!\/|https?:)([^)#\s]+)(#[^)\s]*)?\)/g;

/** The text of a file of the repository. Links to other files become links to their pages, or the paths of those that have none. */
function readText(file: string): string {
  // The build includes these files by `outputFileTracingIncludes`.
  const text = readFileSync(join(/* turbopackIgnore: true */ PROJECT_DIR, file), "utf8");
  return text.replace(FILE_LINK, (_link, label: string, file: string, heading = "") => {
    const page = PAGE_OF_FILE[file];
    return page ? `[${label}](${page}${heading})` : `\`${file}\``;
  });
}

/** The template guide. */
export function writeTemplateGuide(): string {
  return readText("docs/templates.md").replace(/^# .*\n+/, "");
}

/** The sections of the README for operators. */
const OPERATING = ["Accounts and tokens", "Configuration", "Running it", "Watching it", "What Platen refuses to do"];

/** The operators' part of the README. @throws Error when a section is missing */
export function writeOperations(): string {
  const sections = readText("README.md").split(/^(?=## )/m);
  return OPERATING.map((title) => {
    const section = sections.find((text) => text.startsWith(`## ${title}\n`));
    if (section === undefined) throw new Error(`README.md has no section "${title}".`);
    return section.trim();
  }).join("\n\n");
}
