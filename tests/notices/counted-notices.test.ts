import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { countNotices } from "#lib/notices/counted-notices.ts";
import { templateNotices } from "#lib/notices/template-notices.ts";
import { useRendering } from "#tests/render/rendering.ts";
import { templatesRoot, writeTemplate } from "#tests/templates/template-folder.ts";

useRendering();

let root: string;

beforeEach(() => {
  root = templatesRoot();
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
  vi.stubEnv("NODE_ENV", "development");
});

/** One thing that the files tell, and one that only a picture does. */
const STYLE = "h1 { colour: red;\n align-items: center }";

test("notices are counted from the files alone until the variants are drawn for them", async () => {
  writeTemplate(root, "clean");
  writeTemplate(root, "card", { "style.css": STYLE });
  const clean = { slug: "clean", count: 0, isDrawn: false };
  expect(await countNotices()).toEqual([{ slug: "card", count: 1, isDrawn: false }, clean]);
  expect(await templateNotices("card")).toHaveLength(2);
  expect(await countNotices()).toEqual([{ slug: "card", count: 2, isDrawn: true }, clean]);
  writeTemplate(root, "card", { "style.css": `${STYLE} h1 { widht: 1px }` });
  expect(await countNotices()).toEqual([{ slug: "card", count: 2, isDrawn: false }, clean]);
});

test("notices about a shared file count for the templates that name it, and a faulty template has none", async () => {
  mkdirSync(join(root, "_parts"));
  writeFileSync(join(root, "_parts/base.css"), "h1 { colour: red }");
  writeTemplate(root, "broken", { "content.json": "{" });
  writeTemplate(root, "first", { "style.css": '@import "_parts/base.css";' });
  writeTemplate(root, "second", { "style.css": "h1 { widht: 1px; heigth: 1px }" });
  expect((await countNotices()).map(({ slug, count }) => [slug, count])).toEqual([
    ["first", 1],
    ["second", 2],
  ]);
});

test("contents are no markup: a code that names elements is not judged", async () => {
  writeTemplate(root, "card", {
    "content.json": JSON.stringify({ plain: { title: 'Map<T> <dvi style="colour: red">' } }),
  });
  expect(await countNotices()).toEqual([{ slug: "card", count: 0, isDrawn: false }]);
});

test("the files of the shipped templates have none", async () => {
  vi.stubEnv("SERVICE_TEMPLATES_DIR", "shipped");
  const counts = await countNotices();
  expect(counts.length).toBeGreaterThan(30);
  expect(counts.filter(({ count }) => count > 0)).toEqual([]);
});
