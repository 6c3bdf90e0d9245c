import { beforeEach, vi } from "vitest";
import { describeNotice } from "#lib/notices/notice.ts";
import { templateNotices } from "#lib/notices/template-notices.ts";
import { useRendering } from "#tests/render/rendering.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "#tests/templates/template-folder.ts";

/** The folder of templates of the test that runs. */
export let root: string;

/** Gives each test of a file a folder of templates, and development mode. */
export function useTemplatesFolder(): void {
  useRendering();
  beforeEach(() => {
    root = templatesRoot();
    vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
    vi.stubEnv("NODE_ENV", "development");
  });
}

export const STYLE = "h1 { font: 700 40px serif; }\nh2 { font: 700 20px serif; width: 300px; }\n";

const fitted = (fit: object) => ({ ...TITLE, fit: { mode: "shrink", maxLines: 2, ...fit } });

export const MARKUP = {
  title: '<h1 data-fit="title">{{ title }}</h1>',
  note: '<h2 data-fit="note">{{ note }}</h2>',
};

/** The notices of a card whose title, and note if it has one, are fitted by these rules. */
export async function noticesWith(rules: { title: object; note?: object }, files: Record<string, string> = {}) {
  const names = Object.keys(rules) as (keyof typeof MARKUP)[];
  writeTemplate(root, "card", {
    "template.json": manifestWith(Object.fromEntries(names.map((name) => [name, fitted(rules[name] ?? {})]))),
    "content.json": JSON.stringify({ plain: Object.fromEntries(names.map((name) => [name, "Hello"])) }),
    "template.html": names.map((name) => MARKUP[name]).join("\n"),
    "style.css": STYLE,
    ...files,
  });
  return (await templateNotices("card")).map(describeNotice);
}
