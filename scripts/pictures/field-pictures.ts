import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { PROJECT_DIR } from "#lib/config.ts";
import { renderTemplate } from "#lib/render/render-template.ts";

/** An example of `docs/fields.md`: a type of field with the code blocks of its section. */
export type FieldExample = {
  type: string;
  fields: unknown;
  values: unknown;
  html: string;
  css: string;
  picture: string;
};

/** The assets that examples name. */
const ASSETS = ["review/card/assets/star.svg", "blog/article/assets/harbour.png"];

/** How all examples look. */
const STYLE = `main { display: flex; align-items: center; gap: 48px; height: 256px; padding: 0 48px; background: #f6f1e7; color: #1b1a17; }
h1, p { margin: 0; } h1 { width: 864px; height: 192px; font: 700 96px/1.05 "Archivo", sans-serif; letter-spacing: -0.02em; }
.large { font: 700 48px/1.3 "Archivo", sans-serif; letter-spacing: -0.01em; } strong { font-weight: 900; } mark { background: #ffd75e; color: inherit; }`;

const blocksOf = (section: string, language: string) =>
  Array.from(section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm")), ([, code = ""]) => code);

/** The examples of `docs/fields.md`. @throws SyntaxError for JSON that is none */
export function readFieldExamples(): FieldExample[] {
  const [, ...sections] = readFileSync(join(PROJECT_DIR, "docs/fields.md"), "utf8").split(/^## /m);
  return sections.map((section) => {
    const [fields = "", values = ""] = blocksOf(section, "json");
    return {
      type: section.slice(0, section.indexOf("\n")),
      fields: JSON.parse(fields),
      values: JSON.parse(values),
      html: blocksOf(section, "html").join(""),
      css: blocksOf(section, "css").join(""),
      picture: /!\[[^\]]+\]\((\S+)\)/.exec(section)?.[1] ?? "",
    };
  });
}

/** Writes each example as a template, which is named after its type. */
export function writeFieldTemplates(dir: string): void {
  for (const { type, fields, values, html, css } of readFieldExamples()) {
    const folder = join(dir, type);
    mkdirSync(join(folder, "assets"), { recursive: true });
    for (const asset of ASSETS)
      copyFileSync(join(PROJECT_DIR, "templates", asset), join(folder, asset.slice(asset.indexOf("assets/"))));
    const manifest = {
      title: type,
      description: type,
      width: 960,
      height: 256,
      defaultVariant: "plain",
      tags: [],
      fields,
    };
    writeFileSync(join(folder, "template.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "content.json"), JSON.stringify({ plain: values }));
    writeFileSync(join(folder, "template.html"), `<main>${html}</main>`);
    writeFileSync(join(folder, "style.css"), `${STYLE}\n${css}`);
  }
}

/** Draws the pictures of `docs/fields.md`. */
export async function drawFieldPictures(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "platen-fields-"));
  try {
    writeFieldTemplates(dir);
    process.env.SERVICE_TEMPLATES_DIR = dir;
    for (const { type, picture } of readFieldExamples()) {
      const { png } = await renderTemplate({ template: type });
      const file = join(PROJECT_DIR, "docs", picture);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, await sharp(png).png({ palette: true, effort: 10 }).toBuffer());
    }
  } finally {
    delete process.env.SERVICE_TEMPLATES_DIR;
    rmSync(dir, { recursive: true, force: true });
  }
}
