import { writeApiReference } from "./content/api-reference.ts";
import { writeErrors } from "./content/errors.ts";
import { writeOperations, writeTemplateGuide } from "./content/files.ts";
import { writeQuickStart } from "./content/quick-start.ts";
import { writeSchemas } from "./content/schemas.ts";
import { plain } from "./content/table.ts";
import { writeTemplateReference } from "./content/template-reference.ts";
import type { Sources } from "./sources.ts";

type DocPage = {
  path: string;
  title: string;
  /** One sentence. */
  summary: string;
  /** Gives the page without its title, as Markdown. Code blocks are named after their language. */
  write: (sources: Sources) => string | Promise<string>;
};

/** The pages of the documentation, in the order that they are read in. */
export const DOC_PAGES: DocPage[] = [
  {
    path: "/docs",
    title: "Quick start",
    summary: "From nothing to a picture of your own in five minutes, and how a picture comes about.",
    write: writeQuickStart,
  },
  {
    path: "/docs/api",
    title: "API reference",
    summary: "Every route of this service: what it takes, what it answers, and who may ask.",
    write: writeApiReference,
  },
  {
    path: "/docs/schemas",
    title: "Schemas",
    summary: "What the routes send and answer, key by key.",
    write: writeSchemas,
  },
  {
    path: "/docs/errors",
    title: "Errors and warnings",
    summary: "What each code means, and what to do about it.",
    write: writeErrors,
  },
  {
    path: "/docs/templates",
    title: "Writing a template",
    summary: "A design of your own in a folder with four files.",
    write: writeTemplateGuide,
  },
  {
    path: "/docs/operations",
    title: "Running Platen",
    summary: "For whoever runs the service: accounts and tokens, settings, monitoring, and what it refuses to do.",
    write: writeOperations,
  },
];

/** A page that is written. */
export type WrittenPage = { path: string; title: string; summary: string; body: string };

const TEMPLATE_PAGES = "/docs/api/";

/** What is at a path below `/docs`; undefined where nothing is. */
export async function writePage(path: string, sources: Sources): Promise<WrittenPage | undefined> {
  const page = DOC_PAGES.find((one) => one.path === path);
  if (page) return { path, title: page.title, summary: page.summary, body: await page.write(sources) };
  if (!path.startsWith(TEMPLATE_PAGES)) return undefined;
  const written = await writeTemplateReference(path.slice(TEMPLATE_PAGES.length), sources);
  return written && { path, ...written };
}

/** A page as a Markdown document. */
export function documentOf({ title, summary, body }: WrittenPage): string {
  return `# ${plain(title)}\n\n${plain(summary)}\n\n${body}\n`;
}

/** Where a page is as a Markdown document. */
export function markdownPath(path: string): string {
  return `${path}.md`;
}
