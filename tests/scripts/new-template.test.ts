import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { newTemplate } from "#scripts/templates/new.ts";
import { templatesRoot, writeTemplate } from "#tests/templates/template-folder.ts";

test("a new template compiles without a fault, names its schemas, and overwrites nothing", async () => {
  vi.stubEnv("NODE_ENV", "test");
  const printed = vi.spyOn(console, "log").mockReturnValue();
  const root = templatesRoot();
  await newTemplate(["social/year-in-review", "--dir", root]);
  expect(printed.mock.calls.join()).toContain("npm run render -- social/year-in-review");
  const does = ["shows it", "draws it", "looks for faults"];
  const lines = printed.mock.calls.join().split("\n").slice(1);
  expect(new Set(lines.map((line, at) => line.indexOf(does[at] ?? "?"))).size, lines.join("\n")).toBe(1);
  const folder = join(root, "social/year-in-review");
  expect(readdirSync(folder).toSorted()).toEqual(["content.json", "style.css", "template.html", "template.json"]);
  const { templates, faults } = await compileRegistry(root);
  expect(faults).toEqual([]);
  expect(templates).toMatchObject([{ slug: "social/year-in-review", title: "Year in review" }]);
  for (const file of ["template.json", "content.json"]) {
    const { $schema } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    expect(existsSync(resolve(dirname(join(folder, file)), $schema)), $schema).toBe(true);
  }
  await expect(newTemplate(["social/year-in-review", "--dir", root])).rejects.toThrow("is there already");
  await expect(newTemplate(["Social/Card", "--dir", root])).rejects.toThrow('Got the slug "Social/Card"');
  await expect(newTemplate([])).rejects.toThrow("Got no slug, want one.");
});

test("a schema that is no text is a fault like any other key", async () => {
  const root = templatesRoot();
  writeTemplate(root, "card", { "content.json": '{ "$schema": {}, "plain": { "title": "x" } }' });
  expect((await compileRegistry(root)).faults[0]).toMatchObject({ file: "content.json" });
});
