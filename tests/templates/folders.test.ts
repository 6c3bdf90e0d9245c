import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ConfigError } from "#lib/environment/config-error.ts";
import { readBuiltRegistry } from "#lib/templates/folders/served-folders.ts";
import { getRegistry, registryWithin } from "#lib/templates/registry.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "./template-folder.ts";

let root: string;

beforeEach(() => {
  root = templatesRoot();
  writeTemplate(root, "mine/card", { "template.json": manifestWith({ title: TITLE }, { title: "My card" }) });
  writeTemplate(root, "theirs/card", { "template.json": manifestWith({ title: TITLE }, { title: "Their card" }) });
  writeTemplate(root, "theirs/social/quote");
  mkdirSync(join(root, "empty"));
});

/** The titles of what is served by slug, the folders and the faults. */
async function serve(...entries: string[]) {
  const named = entries.map((entry) => (entry === "shipped" ? entry : join(root, entry)));
  vi.stubEnv("SERVICE_TEMPLATES_DIR", named.join(delimiter));
  const { templates, faults, folders } = await getRegistry();
  return { served: Object.fromEntries(templates.map(({ slug, title }) => [slug, title])), faults, folders };
}

describe("several folders of templates", () => {
  test("are served together, and the earlier one wins", async () => {
    const { served, folders } = await serve("mine", "theirs");
    expect(served).toEqual({ card: "My card", "social/quote": "Card" });
    expect(folders).toEqual([
      { name: "mine", templates: 1, hidden: 0 },
      { name: "theirs", templates: 2, hidden: 1 },
    ]);
    expect((await serve("theirs", "mine")).served.card).toBe("Their card");
  });

  test("may have the shipped ones among them", async () => {
    const { served, folders } = await serve("theirs", "shipped");
    expect(served).toMatchObject({ card: "Their card", "social/quote": "Card", "event/ticket": expect.any(String) });
    expect(folders[1]).toMatchObject({ name: "shipped", hidden: 1 });
    expect(Object.keys(served)).toEqual(Object.keys(served).toSorted());
  });

  test("do not bring back a template whose own version is faulty", async () => {
    writeTemplate(root, "mine/card", { "template.html": "{{ titel }}" });
    const { served, faults } = await serve("mine", "theirs");
    expect(Object.keys(served)).toEqual(["social/quote"]);
    expect(faults).toMatchObject([{ slug: "card", line: 1 }]);
  });

  test("tell which of them is empty, and which is missing", async () => {
    expect((await serve("empty", "mine")).folders[0]).toEqual({ name: "empty", templates: 0, hidden: 0 });
    await expect(serve("mine", "nowhere")).rejects.toThrow("Entry 2 of SERVICE_TEMPLATES_DIR does not name a folder.");
    vi.stubEnv("SERVICE_TEMPLATES_DIR", delimiter);
    expect(() => getRegistry()).toThrow(ConfigError);
  });
});

test("a registry of shipped templates that is missing or cut short is named with its remedy", () => {
  const file = join(root, "templates.json");
  const remedy = 'The templates are not built, or damaged. Run "npm run templates".';
  expect(() => readBuiltRegistry(file)).toThrow(remedy);
  writeFileSync(file, '{"templates":[{"slug":"so');
  expect(() => readBuiltRegistry(file)).toThrow(remedy);
});

test("templates that are being read are waited for only so long, and are served afterwards", async () => {
  for (let index = 0; index < 20; index++) writeTemplate(root, `mine/card${index}`);
  vi.stubEnv("SERVICE_TEMPLATES_DIR", join(root, "mine"));
  await expect(registryWithin(1)).rejects.toMatchObject({ code: "unavailable", headers: { "Retry-After": "10" } });
  expect((await registryWithin(60_000)).templates).toHaveLength(21);
  vi.stubEnv("SERVICE_TEMPLATES_DIR", join(root, "nowhere"));
  await expect(registryWithin(1)).rejects.toMatchObject({ code: "misconfigured" });
});

test("templates that were read are served while their folder is replaced, and all others with them", async () => {
  const before = await serve("mine", "theirs");
  rmSync(join(root, "mine"), { recursive: true });
  expect(await serve("mine", "theirs")).toEqual(before);
});

test("in development a renamed template, and a file that comes back with its old time, are seen beside one of the future", async () => {
  vi.stubEnv("NODE_ENV", "development");
  const manifest = join(root, "mine/card/template.json");
  const backup = join(root, "backup.json");
  writeFileSync(backup, readFileSync(manifest, "utf8").replace("My card", "Older card"));
  utimesSync(backup, 1_000, 1_000);
  const future = Date.now() / 1_000 + 86_400;
  utimesSync(join(root, "mine/card/style.css"), future, future);
  expect((await serve("mine")).served).toEqual({ card: "My card" });
  renameSync(backup, manifest);
  expect((await serve("mine")).served).toEqual({ card: "Older card" });
  renameSync(join(root, "mine/card"), join(root, "mine/other"));
  expect((await serve("mine")).served).toEqual({ other: "Older card" });
});
