import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT_DIR } from "#lib/config.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { manifestWith, templatesRoot, writeTemplate } from "#tests/templates/template-folder.ts";

const page = readFileSync(join(PROJECT_DIR, "docs/templates.md"), "utf8");

/** The block of code that holds a text. */
function blockWith(text: string): string {
  const block = [...page.matchAll(/^```\w+\n([\s\S]*?)^```/gm)].find(([, code = ""]) => code.includes(text))?.[1];
  if (block === undefined) throw new Error(`docs/templates.md has no example with ${text}.`);
  return block;
}

const POINTS = [1, 2, 3].map((points) => ({ name: `Team ${points}`, points }));

test.each([
  ["quote", JSON.parse(blockWith('"title": "Quote card"')).fields, blockWith("<h1"), { quote: "Less is more." }],
  ["list", JSON.parse(`{${blockWith('"rows": {')}}`), blockWith("{% for row in rows %}"), { rows: POINTS }],
  [
    "numbers",
    JSON.parse(blockWith('"growth": {')),
    `${blockWith("price.parts")}{{ growth }} {{ wind }} {{ views }}`,
    { price: 12.5 },
  ],
  ["rating", { rating: { type: "rating", label: "Rating" } }, blockWith("rating.steps"), { rating: 3.5 }],
  ["logo", { logo: { type: "image", label: "Logo", over: "#ffffff" } }, blockWith("logo.ground"), {}],
])("the example of docs/templates.md is a template without a fault: %s", async (_, fields, html, values) => {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith(fields),
    "content.json": JSON.stringify({ plain: values }),
    "template.html": html,
    "style.css": blockWith(".logo.light"),
  });
  expect((await compileRegistry(root)).faults).toEqual([]);
});
