import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterTest } from "#tests/clean-up.ts";

/** Creates a templates folder that is removed after the test. */
export function templatesRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "platen-templates-"));
  afterTest(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** The only field of the default template. */
export const TITLE = { type: "text", label: "Title", required: true };

const FILES = {
  "template.json": JSON.stringify(
    {
      title: "Card",
      description: "A card.",
      width: 400,
      height: 200,
      defaultVariant: "plain",
      fields: { title: TITLE },
    },
    null,
    2,
  ),
  "content.json": JSON.stringify({ plain: { title: "Hello" } }, null, 2),
  "template.html": "<h1>{{ title }}</h1>\n",
  "style.css": "h1 { font: 700 40px serif; }\n",
};

/** Writes a valid template, with some of its files replaced. */
export function writeTemplate(root: string, slug: string, files: Record<string, string | Buffer> = {}): void {
  for (const [name, text] of Object.entries({ ...FILES, ...files })) {
    const path = join(root, slug, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** The `template.json` of a card with these fields. */
export function manifestWith(fields: Record<string, unknown>, rest: Record<string, unknown> = {}): string {
  return JSON.stringify({ ...JSON.parse(FILES["template.json"]), fields, ...rest }, null, 2);
}
