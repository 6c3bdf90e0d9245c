import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { templateFolder } from "#tests/proof/one-template.ts";
import { emptyDataDir, prepareMachine, removeDir } from "#tests/render/rig.ts";

let folder: string;

beforeAll(async () => {
  await prepareMachine();
  folder = emptyDataDir();
});

beforeEach(() => {
  templateFolder(folder);
});

afterAll(() => removeDir(folder));

function add(file: string, text: string): void {
  const path = join(folder, file);
  writeFileSync(path, `${readFileSync(path, "utf8")}\n${text}`);
}

/** Runs `npm run templates`. @returns its status and the faults */
function check() {
  const env = { ...process.env, SERVICE_TEMPLATES_DIR: folder };
  const args = ["scripts/templates.ts", "--out", join(folder, "out")];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
  return { status, faults: stderr.split("\n").filter((line) => /^[\w/.-]+:\d+ /.test(line)) };
}

it("CSS that the browser ignores is told with its file and line, and the nearest property", () => {
  mkdirSync(join(folder, "_parts"), { recursive: true });
  writeFileSync(join(folder, "_parts/frame.css"), "i {\n  dispaly: block;\n}");
  add("card/style.css", "h1 {\n  colour: red;\n  text-align: centre;\n  zzzzzzzzzz: 1;\n}");
  add("card/template.html", `<i style="widht: {{ 9 }}px; height: 9\npixels"></i>`);
  const { status, faults } = check();
  expect(status).toBe(1);
  expect(faults).toEqual([
    '_parts/frame.css:2 Got "dispaly", which is no CSS property. Did you mean "display"?',
    'card/style.css:3 Got "colour", which is no CSS property. Did you mean "color"?',
    'card/style.css:4 Got "text-align: centre", which the browser ignores. Correct the value.',
    'card/style.css:5 Got "zzzzzzzzzz", which is no CSS property. Remove it.',
    'card/template.html:2 Got "widht", which is no CSS property. Did you mean "width"?',
    'card/template.html:2 Got "height: 9 pixels", which the browser ignores. Correct the value.',
  ]);
});

it("CSS with variables, Liquid, descriptors, nesting and importance has no fault, and neither has a file that cannot be read", () => {
  writeFileSync(join(folder, "_parts/frame.css"), "");
  symlinkSync("/nowhere.css", join(folder, "_parts/away.css"));
  add(
    "card/style.css",
    `:root { --own: 1 } @property --far { syntax: "*"; inherits: false } @keyframes in { to { opacity: 0 } }
@counter-style box { system: cyclic; symbols: x } h1 { color: var(--own) !important; COLOR: Red; & b { -webkit-line-clamp: 2; background: center/cover } }`,
  );
  add(
    "card/template.html",
    `<i style='{% if paper %}color:red;{% else %}color: blue{% endif %}; height: {% if paper %}1{% else %}2{% endif %}px !important;'></i>`,
  );
  expect(check()).toEqual({ status: 0, faults: [] });
});
