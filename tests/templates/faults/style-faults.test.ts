import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { pngBomb } from "#tests/images/files.ts";
import { templatesRoot, writeTemplate } from "../template-folder.ts";
import { faultsOf } from "./faults-of.ts";

test.each([
  [
    "an image that cannot be decoded",
    { "assets/logo.png": "garbage" },
    /assets\/logo\.png:1 The image cannot be decoded/,
  ],
  ["an asset of an unknown kind", { "assets/notes.txt": "x" }, /assets\/notes\.txt:1 Files of this type/],
  ["CSS that does not parse", { "style.css": "h1 { color: red;\n}\nh2 { color }" }, /style\.css:3 /],
  [
    "an address by another function",
    { "style.css": "h1 { background: image-set('//example.com/x.png' 1x) }" },
    /Got image-set/,
  ],
  ["an import", { "style.css": "@import 'x.css';" }, /style\.css:1 Got @import/],
  [
    "a style address from elsewhere",
    { "style.css": "h1 {\n background: url(//example.com/x.png) }" },
    /style\.css:2 Got url/,
  ],
  [
    "a style address by src()",
    { "style.css": 'h1 { background: src("//example.com/x.png") }' },
    /style\.css:1 Got src/,
  ],
  ["the end of the style element", { "style.css": "h1 { color: red } /* </style> */" }, /style\.css:1 Got <\/style/],
  ["a style address whose name every object has", { "style.css": "h1 { background: url(constructor) }" }, /Got url/],
  ["an escaped style address", { "style.css": "h1 { background: \\75rl(//example.com/x.png) }" }, /style\.css:1 /],
  [
    "a family that is not bundled",
    { "style.css": 'h1 { font-family: "Comic Sans MS", serif }' },
    /Got the font family "Comic Sans MS", which is not bundled\. Use one of "Inter", /,
  ],
])("%s is a fault with file, line and reason", async (_, files, wanted) => {
  const faults = await faultsOf(files as Record<string, string>);
  expect(faults.join("\n")).toMatch(wanted);
});

test("a small image with more pixels than a machine has memory for is a fault, and is not decoded", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card");
  mkdirSync(join(root, "card/assets"));
  writeFileSync(join(root, "card/assets/paper.png"), pngBomb(8_000, 8_000));
  const { faults } = await compileRegistry(root);
  expect(faults.map(describeFault).join("\n")).toMatch(/assets\/paper\.png:1 .*exceeds pixel limit/);
});
