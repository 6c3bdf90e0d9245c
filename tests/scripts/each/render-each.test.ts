import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { rendering, shutDown } from "#lib/render/render.ts";
import { progressBar } from "#scripts/render/each/progress.ts";
import { renderEach } from "#scripts/render/each/render-each.ts";
import { afterTest } from "#tests/clean-up.ts";
import { prepareMachine } from "#tests/render/rig.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "#tests/templates/template-folder.ts";

const FIELDS = {
  title: { ...TITLE, fit: { mode: "shrink", minSize: 20, maxLines: 1 } },
  count: { type: "number", label: "Count", default: 0 },
};
const CARD = {
  "template.json": manifestWith(FIELDS),
  "content.json": JSON.stringify({ plain: { title: "Hello" }, dark: { title: "Hello" } }),
  "template.html": '<h1 data-fit="title">{{ title }}</h1><p>{{ count }}</p>',
};

let folder: string;

beforeAll(prepareMachine);
beforeEach(() => {
  folder = templatesRoot();
  writeTemplate(folder, "card", CARD);
  vi.stubEnv("SERVICE_TEMPLATES_DIR", folder);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  rendering.get().pictures.clear();
});
afterAll(shutDown);

function draw(csv: string, rest: { isStrict?: boolean; signal?: AbortSignal } = {}) {
  const tableFile = join(folder, "people.csv");
  writeFileSync(tableFile, csv);
  const pattern = join(folder, "out/{title}.png");
  return renderEach({
    slug: "card",
    tableFile,
    pattern,
    isStrict: false,
    signal: new AbortController().signal,
    ...rest,
  });
}

const linesOf = (name: string) =>
  readFileSync(join(folder, "out", name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("a table", () => {
  test("gives a picture for each row, and lists the rows with a fault", async () => {
    const result = await draw("title,count,variant\nAda,1,dark\nBo,many,\nBo,,\nCy,1,darkest\n,1,\n");
    expect(result).toMatchObject({ drawn: 2, kept: 0, failed: 3, of: 5 });
    expect(readdirSync(join(folder, "out")).toSorted()).toEqual([
      "Ada.png",
      "Bo-2.png",
      "faults.jsonl",
      "pictures.jsonl",
    ]);
    expect(linesOf("faults.jsonl")).toMatchObject([
      { row: 2, line: 3, code: "invalid_data", issues: [{ path: "/data/count", code: "invalid_type" }] },
      { row: 4, line: 5, code: "unknown_variant" },
      { row: 5, line: 6, code: "invalid_data", issues: [{ path: "/data/title", code: "required" }] },
    ]);
  });

  test("has faults that a terminal can show: none of its characters are obeyed", async () => {
    const cell = "\u009b31m\u202e\u2028";
    expect(await draw(`title,count\nAda,${cell}\n`)).toMatchObject({ drawn: 0, failed: 1 });
    expect(JSON.stringify(linesOf("faults.jsonl"))).toContain(cell);
    expect(readFileSync(join(folder, "out/faults.jsonl"), "utf8")).toMatch(/^[ -~]*\n$/);
  });

  test("is continued: only rows that changed or have no picture are drawn", async () => {
    await draw("title,count\nAda,1\nBo,1\nCy,1\nDi,x\n");
    rmSync(join(folder, "out/Bo.png"));
    const before = statSync(join(folder, "out/Ada.png")).mtimeMs;
    expect(await draw("title,count\nAda,1\nBo,1\nCy,2\nDi,1\n")).toMatchObject({ drawn: 3, kept: 1, failed: 0 });
    expect(statSync(join(folder, "out/Ada.png")).mtimeMs).toBe(before);
    expect(existsSync(join(folder, "out/faults.jsonl"))).toBe(false);
    writeTemplate(join(folder, "later"), "card", { ...CARD, "style.css": "h1 { color: #123456; }" });
    vi.stubEnv("SERVICE_TEMPLATES_DIR", join(folder, "later"));
    expect(await draw("title,count\nAda,1\n")).toMatchObject({ drawn: 1, kept: 0 });
  });

  test("keeps the warnings of pictures that stay, and has faults instead with strict handling", async () => {
    const csv = `title\n${"A long title ".repeat(4)}\n`;
    expect(await draw(csv)).toMatchObject({ drawn: 1, warned: 1 });
    expect(linesOf("warnings.jsonl")).toMatchObject([{ row: 1, issues: [{ path: "/data/title" }] }]);
    expect(await draw(csv)).toMatchObject({ drawn: 0, kept: 1, warned: 1 });
    expect(await draw(csv, { isStrict: true })).toMatchObject({ drawn: 0, failed: 1, warned: 0 });
  });

  test("has a picture again where the host of its image had failed, and then keeps it", async () => {
    const photo = { type: "image", label: "Photo", onError: "placeholder" };
    const markup = '<h1>{{ title }}</h1>{% if photo %}<img data-image="photo" src="{{ photo }}" alt="">{% endif %}';
    writeTemplate(folder, "card", {
      "template.json": manifestWith({ title: TITLE, photo }),
      "template.html": markup,
      "style.css": "img { width: 90px; height: 90px; }",
    });
    const png = await sharp({ create: { width: 90, height: 90, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      if (asked === 1) response.writeHead(500).end();
      else response.writeHead(200, { "Content-Type": "image/png" }).end(png);
    });
    afterTest(() => server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", host);
    const table = `title,photo\nAda,${host}/ada.png\n`;
    expect(await draw(table)).toMatchObject({ drawn: 1, warned: 1 });
    expect(await draw(table)).toMatchObject({ drawn: 1, warned: 0 });
    expect(await draw(table)).toMatchObject({ kept: 1, warned: 0 });
    expect(asked).toBe(2);
  });

  test("with an unknown column draws nothing", async () => {
    await expect(draw("titel,title\nx,y\n")).rejects.toThrow('no field: "titel" (did you mean "title"?)');
    await expect(draw("count\n1\n")).rejects.toThrow("-o has {title}, want a column");
    expect(existsSync(join(folder, "out"))).toBe(false);
  });

  test("that is stopped keeps what is drawn, without a broken file", async () => {
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(draw("title\nAda\n", { signal: stopped })).rejects.toThrow("stopped");
    writeFileSync(join(folder, "out/pictures.jsonl"), '{"file":"Ada.png","ke');
    expect(await draw("title\nAda\n")).toMatchObject({ drawn: 1 });
    expect(await draw("title\nAda\n")).toMatchObject({ kept: 1 });
  });
});

test("the progress bar tells what is done and what is left", () => {
  expect(progressBar({ drawn: 40, kept: 10, failed: 1 }, 102, 10)).toBe(
    "████████████░░░░░░░░░░░░ 51 of 102: 40 drawn, 10 unchanged, 1 failed, 4.0 a second, 13 s left",
  );
});
