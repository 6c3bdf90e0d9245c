import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { templatesRoot, writeTemplate } from "#tests/templates/template-folder.ts";
import { readSources, saveSource } from "../../app/workshop/source-files.ts";

let root: string;
let folder: string;

beforeEach(() => {
  root = templatesRoot();
  folder = join(root, "card");
  writeTemplate(root, "card");
  vi.stubEnv("SERVICE_TEMPLATES_DIR", root);
});

async function sourceOf(name: string) {
  const found = (await readSources("card")).find((file) => file.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

const textOf = (name: string) => readFileSync(join(root, name), "utf8");

test("the files of a template, with the parts that they name, are read", async () => {
  writeTemplate(root, "card", { "template.html": '{% render "_parts/head.html" %}{{ title }}' });
  mkdirSync(join(root, "_parts"));
  writeFileSync(join(root, "_parts/head.html"), '{% render "_parts/rule.html" %}');
  writeFileSync(join(root, "_parts/rule.html"), "<hr>");
  writeFileSync(join(root, "_parts/other.html"), "<hr>");
  expect((await readSources("card")).map(({ name }) => name)).toEqual([
    "template.json",
    "content.json",
    "template.html",
    "style.css",
    "_parts/head.html",
    "_parts/rule.html",
  ]);
});

test("a save replaces the file as a whole, with its permissions and without leaving anything else", async () => {
  chmodSync(join(folder, "style.css"), 0o600);
  const style = await sourceOf("style.css");
  const saved = await saveSource({ slug: "card", ...style, text: "h1 { color: red }\r\n語" });
  expect(saved.status).toBe("saved");
  expect(textOf("card/style.css")).toBe("h1 { color: red }\r\n語");
  expect(statSync(join(folder, "style.css")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).toSorted()).toEqual(["content.json", "style.css", "template.html", "template.json"]);
  expect((await sourceOf("style.css")).version).toBe(saved.file.version);
});

test("a file that has changed on disk stays as it is, and comes back to the editor", async () => {
  const style = await sourceOf("style.css");
  writeFileSync(join(folder, "style.css"), "theirs");
  const refused = await saveSource({ slug: "card", ...style, text: "mine" });
  expect(refused).toMatchObject({ status: "changed", file: { text: "theirs" } });
  expect(textOf("card/style.css")).toBe("theirs");
  const { file } = refused;
  expect((await saveSource({ slug: "card", ...file, text: "mine" })).status).toBe("saved");
  // An answer that got lost is no conflict.
  expect((await saveSource({ slug: "card", ...style, text: "mine" })).status).toBe("saved");
});

test("of two saves of one version at the same time, one is refused", async () => {
  const style = await sourceOf("style.css");
  const saves = ["one", "two"].map((text) => saveSource({ slug: "card", ...style, text }));
  expect((await Promise.all(saves)).map(({ status }) => status).toSorted()).toEqual(["changed", "saved"]);
});

test("a missing file is created", async () => {
  writeTemplate(root, "bare");
  rmSync(join(root, "bare/style.css"));
  const style = (await readSources("bare")).find(({ name }) => name === "style.css");
  expect(style).toMatchObject({ text: "", version: "absent" });
  await saveSource({ slug: "bare", name: "style.css", text: "h1 {}", version: "absent" });
  expect(textOf("bare/style.css")).toBe("h1 {}");
});

test.each([
  "../card/style.css",
  "style.css/",
  "/etc/passwd",
  "assets/logo.svg",
  "_parts/../card/style.css",
  "_parts/Head.html",
  "_parts/head.js",
  "template.html\0",
])("the name %j is refused", async (name) => {
  const draft = { slug: "card", name, text: "x", version: "absent" };
  await expect(saveSource(draft)).rejects.toMatchObject({ code: "invalid_request" });
});

test.each(["../card", "card/..", "none", "", "/", "card/", "CARD"])("there is no template %j", async (slug) => {
  await expect(readSources(slug)).rejects.toMatchObject({ code: "not_found" });
});

test("links are not followed, neither to a file nor through a folder", async () => {
  const outside = templatesRoot();
  writeTemplate(outside, "secret");
  symlinkSync(join(outside, "secret"), join(root, "linked"));
  await expect(readSources("linked")).rejects.toMatchObject({ code: "invalid_request" });
  symlinkSync(join(outside, "secret"), join(root, "_parts"));
  const part = { slug: "card", name: "_parts/evil.html", text: "x", version: "absent" };
  await expect(saveSource(part)).rejects.toMatchObject({ code: "invalid_request" });
  symlinkSync(join(outside, "secret/style.css"), join(folder, "linked.css"));
  renameSync(join(folder, "linked.css"), join(folder, "style.css"));
  await expect(readSources("card")).rejects.toThrow(/style\.css is a link or a folder/);
  const style = { slug: "card", name: "style.css", text: "x", version: "absent" };
  await expect(saveSource(style)).rejects.toMatchObject({ code: "invalid_request" });
  expect(readFileSync(join(outside, "secret/style.css"), "utf8")).toContain("serif");
});

test("texts that are too large, and files that are no UTF-8, are refused", async () => {
  const style = await sourceOf("style.css");
  const draft = { slug: "card", ...style, text: "語".repeat(400_000) };
  await expect(saveSource(draft)).rejects.toThrow("Got 1200000 bytes, want at most 1000000.");
  writeFileSync(join(folder, "style.css"), Buffer.from([0xff, 0xfe, 0x41]));
  await expect(readSources("card")).rejects.toThrow("style.css is not UTF-8 text.");
});
