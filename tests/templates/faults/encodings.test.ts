import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileRegistry, describeFault } from "#lib/templates/build-registry.ts";
import { templatesRoot, writeTemplate } from "../template-folder.ts";
import { faultsOf } from "./faults-of.ts";

const NOT_UTF8 = "that are not UTF-8. Save the file in the encoding UTF-8.";

test.each([
  [
    "Latin-1 in a variant",
    "content.json",
    Buffer.from('{ "plain": {\n  "title": "Café" } }', "latin1"),
    `2 Got bytes in line 2 ${NOT_UTF8}`,
  ],
  [
    "a byte that begins no character, in the markup",
    "template.html",
    Buffer.concat([Buffer.from("<h1>{{ title }}</h1>\n"), Buffer.from([0xff])]),
    `2 Got bytes in line 2 ${NOT_UTF8}`,
  ],
  [
    "UTF-16 with a byte order mark",
    "template.html",
    Buffer.from("\ufeff<h1>{{ title }}</h1>", "utf16le"),
    `1 Got bytes in line 1 ${NOT_UTF8}`,
  ],
  [
    "UTF-16 without one",
    "style.css",
    Buffer.from("h1 { color: red }", "utf16le"),
    "1 Got a NUL character in line 1. Remove it, or save the file in the encoding UTF-8.",
  ],
])("%s is told with its line", async (_, file, bytes, wanted) => {
  expect(await faultsOf({ [file]: bytes })).toEqual([`social/faulty/${file}:${wanted}`]);
});

test("a part that is not in UTF-8 is told where it is included", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "template.html": '<h1>{{ title }}</h1>\n{% include "_parts/a.html" %}' });
  writeTemplate(root, "_parts");
  writeFileSync(join(root, "_parts/a.html"), Buffer.from("<p>Café</p>", "latin1"));
  const { faults } = await compileRegistry(root);
  expect(faults.map(describeFault)).toEqual([`card/template.html:2 "_parts/a.html": Got bytes in line 1 ${NOT_UTF8}`]);
});

test("a byte order mark and Windows line ends change nothing", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card");
  const { templates } = await compileRegistry(root);
  const [plain] = templates;
  const windows = (text: string) => `\ufeff${text.replaceAll("\n", "\r\n")}`;
  const other = templatesRoot();
  const content = JSON.stringify({ plain: { title: "Hello" } }, null, 2);
  writeTemplate(other, "card", {
    "content.json": windows(content),
    "template.html": windows("<h1>{{ title }}</h1>\n"),
    "style.css": windows("h1 { font: 700 40px serif; }\n"),
  });
  const { templates: read, faults } = await compileRegistry(other);
  expect(faults).toEqual([]);
  expect(read[0]?.variants).toEqual(plain?.variants);
  expect(read[0]?.html).not.toContain("\ufeff");
  expect(read[0]?.css).not.toContain("\ufeff");
});
