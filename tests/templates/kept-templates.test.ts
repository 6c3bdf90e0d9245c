import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inDecoder } from "#lib/images/decoder/decoders.ts";
import { processState } from "#lib/process-state.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { templatesRoot, writeTemplate } from "./template-folder.ts";

vi.mock("node:fs", { spy: true });
vi.mock("#lib/images/decoder/decoders.ts", { spy: true });

let root: string;
let dataDir: string;

beforeEach(() => {
  root = templatesRoot();
  dataDir = mkdtempSync(join(tmpdir(), "platen-kept-"));
  vi.stubEnv("SERVICE_DATA_DIR", dataDir);
  writeTemplate(root, "card");
  writeTemplate(root, "social/quote");
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dataDir, { recursive: true, force: true });
});

/** As another process would. */
function forget(): void {
  processState("checked-templates", () => new Map()).reset();
}

const keptFiles = () => readdirSync(join(dataDir, "checked-templates")).toSorted();

/** Changes the title in what was kept, which shows whether it is used. */
function markKept(): void {
  for (const name of keptFiles()) {
    const file = join(dataDir, "checked-templates", name);
    writeFileSync(file, readFileSync(file, "utf8").replace('"title":"Card"', '"title":"Kept"'));
  }
}

async function titles(): Promise<Record<string, string>> {
  const { templates } = await compileRegistry(root);
  return Object.fromEntries(templates.map(({ slug, title }) => [slug, title]));
}

test("the next process checks only templates whose files have changed", async () => {
  expect(await titles()).toEqual({ card: "Card", "social/quote": "Card" });
  markKept();
  forget();
  expect(await titles()).toEqual({ card: "Kept", "social/quote": "Kept" });
  writeTemplate(root, "card", { "style.css": "h1 { color: red; }\n" });
  expect(await titles()).toEqual({ card: "Card", "social/quote": "Kept" });
  expect(keptFiles()).toHaveLength(2);
  expect(statSync(join(dataDir, "checked-templates")).mode & 0o077).toBe(0);
});

test("a shared part, the brand and a new link count as changes", async () => {
  await titles();
  for (const change of [
    () => writeTemplate(root, "_parts", { "head.html": "<p>Head</p>" }),
    () => writeFileSync(join(root, "brand.json"), "{}"),
    () => symlinkSync("style.css", join(root, "card", "other.css")),
  ]) {
    markKept();
    forget();
    expect((await titles()).card).toBe("Kept");
    change();
    expect((await titles()).card).toBe("Card");
  }
});

test("a file behind a link counts as changed where the new one has its size and time", async () => {
  const style = (color: string) => `h1 { color: ${color}; }\n`;
  writeTemplate(root, "social/quote", { "style.css": style("#123") });
  rmSync(join(root, "card/style.css"));
  symlinkSync("../social/quote/style.css", join(root, "card/style.css"));
  const cssOf = async () => (await compileRegistry(root)).templates.map(({ css }) => css);
  const file = join(root, "social/quote/style.css");
  utimesSync(file, 1_000, 1_000);
  expect(await cssOf()).toEqual([style("#123"), style("#123")].map((css) => expect.stringContaining(css.trim())));
  rmSync(file);
  writeFileSync(file, style("#456"));
  utimesSync(file, 1_000, 1_000);
  forget();
  expect(await cssOf()).toEqual([style("#456"), style("#456")].map((css) => expect.stringContaining(css.trim())));
});

const drawing = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path fill="${color}" d="M0 0h4v4z"/></svg>`;

/** Writes a card whose template shows a drawing, in a colour that its title names. */
function writeColored(color: string): void {
  writeTemplate(root, "card", {
    "template.html": '<h1>{{ title }}</h1><img src="assets/a.svg" alt=""><img src="assets/b.svg" alt="">',
    "content.json": JSON.stringify({ plain: { title: color } }),
    "assets/a.svg": drawing("black"),
    "assets/b.svg": drawing(color),
  });
}

/** The colours of the title and of the drawing. */
async function colors(): Promise<unknown[]> {
  const [card] = (await compileRegistry(root)).templates;
  const svg = Buffer.from(card?.html.split("base64,")[2] ?? "", "base64").toString();
  return [card?.variants.plain?.values.title, /fill="(\w+)"/.exec(svg)?.[1]];
}

test("a template that is replaced while it is read is read again, and its old files do not bring back the new ones", async () => {
  writeColored("red");
  const { inDecoder: decode } = await vi.importActual<typeof import("#lib/images/decoder/decoders.ts")>(
    "#lib/images/decoder/decoders.ts",
  );
  // The texts have been read, and so has the first of the drawings.
  vi.mocked(inDecoder).mockImplementationOnce((...work) => {
    writeColored("blue");
    return decode(...work);
  });
  expect(await colors()).toEqual(["blue", "blue"]);
  writeColored("red");
  forget();
  expect(await colors()).toEqual(["red", "red"]);
});

test.each([
  ["the disk does not give", "EIO"],
  ["is away for a moment", "ENOENT"],
])("a file that %s is read again at the next start", async (_, code) => {
  const failed = Object.assign(new Error(code), { code, syscall: "read" });
  const { readFileSync: read } = await vi.importActual<typeof import("node:fs")>("node:fs");
  let reads = 0;
  vi.mocked(readFileSync).mockImplementation(((path: string, ...rest: []) => {
    // The first read is for the hash.
    if (path === join(root, "card/style.css") && ++reads === 2) throw failed;
    return read(path, ...rest);
  }) as never);
  expect((await compileRegistry(root)).faults).toMatchObject([{ slug: "card", file: "style.css" }]);
  forget();
  expect((await compileRegistry(root)).faults).toEqual([]);
});

test("faults are kept too, with their lines", async () => {
  writeTemplate(root, "card", { "template.html": "<h1>\n{{ titel }}</h1>\n" });
  const { faults } = await compileRegistry(root);
  forget();
  expect((await compileRegistry(root)).faults).toEqual(faults);
  expect(faults).toMatchObject([{ slug: "card", file: "template.html", line: 2, source: "{{ titel }}</h1>" }]);
});

test("a kept file that is no JSON, and a data folder that cannot be written, change nothing", async () => {
  await titles();
  for (const name of keptFiles()) writeFileSync(join(dataDir, "checked-templates", name), "{");
  forget();
  expect(await titles()).toEqual({ card: "Card", "social/quote": "Card" });
  vi.stubEnv("SERVICE_DATA_DIR", join(root, "card", "style.css"));
  forget();
  expect(await titles()).toEqual({ card: "Card", "social/quote": "Card" });
});

test("a new build checks again, also one that is deployed with a few of the sources", async () => {
  const threads = join(dataDir, "lib/templates/drawings");
  for (const folder of [threads, join(dataDir, ".next")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(threads, "highlight-thread.ts"), "");
  vi.spyOn(process, "cwd").mockReturnValue(dataDir);
  const hashOf = async (build: string) => {
    writeFileSync(join(dataDir, ".next/BUILD_ID"), build);
    // A process reads the build once.
    processState("code-version", () => undefined).reset();
    vi.resetModules();
    const { hashShared } = await import("#lib/templates/folders/kept-templates.ts");
    return hashShared(root);
  };
  const first = await hashOf("first");
  expect(await hashOf("first")).toBe(first);
  expect(await hashOf("second")).not.toBe(first);
});

test("results that nobody has used for half a year are removed, however many others there are", async () => {
  await titles();
  markKept();
  forget();
  const folder = join(dataDir, "checked-templates");
  const setAge = (name: string, days: number) => {
    const time = new Date(Date.now() - days * 24 * 60 * 60_000);
    utimesSync(join(folder, name), time, time);
  };
  for (const name of keptFiles()) setAge(name, 181);
  for (const days of [179, 181]) {
    for (let index = 0; index < 600; index++) {
      const name = `other${days}-${index}.json`;
      writeFileSync(join(folder, name), "{}");
      setAge(name, days);
    }
  }
  writeTemplate(root, "a-new-one");
  // What is read is used.
  expect(await titles()).toMatchObject({ card: "Kept", "social/quote": "Kept" });
  expect(keptFiles()).toHaveLength(603);
  expect(keptFiles().filter((name) => name.startsWith("other181"))).toEqual([]);
});

test("other work has turns while kept templates are read, three of them at once", async () => {
  for (let index = 0; index < 28; index++) writeTemplate(root, `many/card-${index}`);
  await compileRegistry(root);
  forget();
  let [turns, isRead] = [0, false];
  const count = () => {
    turns++;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  await compileRegistry(root);
  isRead = true;
  expect(turns).toBeGreaterThanOrEqual(30 / 3);
});
