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
  /** Returns the page without its title, as Markdown. The words after the language of a code block name it. */
  write: (sources: Sources) => string | Promise<string>;
};

/** The pages of the documentation, in reading order. */
export const DOC_PAGES: DocPage[] = [
  {
    path: "/docs",
    title: "Quick start",
    summary: "From nothing to a picture of your own in five minutes, and how rendering works.",
    write: writeQuickStart,
  },
  {
    path: "/docs/api",
    title: "API reference",
    summary: "Every operation of this service: what it accepts, what it answers, and who may call it.",
    write: writeApiReference,
  },
  {
    path: "/docs/schemas",
    title: "Schemas",
    summary: "The JSON of requests and answers, key by key.",
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
    summary: "For operators: accounts and tokens, settings, monitoring, and what Platen refuses to do.",
    write: writeOperations,
  },
];

/** A page as Markdown. */
export type WrittenPage = { path: string; title: string; summary: string; body: string };

/** Prefix of the pages of templates. */
export const TEMPLATE_PAGES = "/docs/api/";

/** The page at a path below `/docs`; undefined where there is none. */
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

/** The path of a page as a Markdown document. */
export function markdownPath(path: string): string {
  return `${path}.md`;
}
