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
  add(
    "card/style.css",
    `h1 {
  colour: red;
  text-align: centre;
  zzzzzzzzzz: 1;
}
h1:hovr, h1 { opacity: 1 }
@medai print { h1 { color: red } }
@font-face { font-family: Own; src: url("data:font/woff2,"); font-dispaly: swap; font-weight: heavy }`,
  );
  add(
    "card/template.html",
    `<i style="widht: {{ 9 }}px; height: 9\npixels"></i><i style=dispaly:block>y</i><dvi>x</dvi>`,
  );
  const { status, faults } = check();
  expect(status).toBe(1);
  expect(faults).toEqual([
    '_parts/frame.css:2 Got "dispaly", which is no CSS property. Did you mean "display"?',
    'card/style.css:3 Got "colour", which is no CSS property. Did you mean "color"?',
    'card/style.css:4 Got "text-align: centre", which the browser ignores. Correct the value.',
    'card/style.css:5 Got "zzzzzzzzzz", which is no CSS property. Remove it.',
    'card/style.css:7 Got the selector "h1:hovr", which the browser does not know, so it ignores the whole rule. Correct the selector.',
    'card/style.css:8 Got "@medai", which the browser ignores with everything in it. Did you mean "@media"?',
    'card/style.css:9 Got "font-dispaly", which is no descriptor of @font-face. Did you mean "font-display"?',
    'card/style.css:9 Got "font-weight: heavy", which the browser ignores. Correct the value.',
    'card/template.html:2 Got "widht", which is no CSS property. Did you mean "width"?',
    'card/template.html:2 Got "height: 9 pixels", which the browser ignores. Correct the value.',
    'card/template.html:3 Got "dispaly", which is no CSS property. Did you mean "display"?',
    "card/template.html:3 Got <dvi>, which is no element of HTML, so it is drawn without any style of its own. Did you mean <div>?",
  ]);
});

it("CSS with variables, Liquid, descriptors, nesting and importance has no fault, and neither has a file that cannot be read", () => {
  writeFileSync(join(folder, "_parts/frame.css"), "");
  symlinkSync("/nowhere.css", join(folder, "_parts/away.css"));
  add(
    "card/style.css",
    `:root { --own: 1; --font-own: serif } @property --far { syntax: "*"; inherits: false } @keyframes in { to { opacity: 0 } }
@counter-style box { system: cyclic; symbols: x } h1 { color: var(--own) !important; COLOR: Red; & b, > i:is(b, i)::before { -webkit-line-clamp: 2; background: center/cover } }
@media (width > 1px) { @supports (display: grid) { h1 { color: red } } } @layer base; @container (width > 1px) { h1 { color: red } }`,
  );
  add(
    "card/template.html",
    `<my-box>x</my-box><svg><linearGradient/></svg><!-- <dvi> --><p style='{% if paper %}color:red;{% else %}color: blue{% endif %}; height: {% if paper %}1{% else %}2{% endif %}px !important;'></p>`,
  );
  expect(check()).toEqual({ status: 0, faults: [] });
});

it("a class that no element has and a property that nothing declares are told, unless Liquid writes them", () => {
  writeFileSync(join(folder, "_parts/head.html"), `<i class="head">{{ title }}</i>`);
  writeFileSync(join(folder, "_parts/frame.css"), ".of-another-template { color: var(--far) }");
  add(
    "card/style.css",
    `@import "_parts/frame.css";
:root { --accent: red }
.titel { color: var(--acent) }
.rest, .title:not(.never) { color: var(--far, red) }
.head, .size-large { color: var(--accent) }
/* .comment { color: var(--comment) } */ i[class$=".dots"] { color: var(--nothing) }`,
  );
  add(
    "card/template.html",
    `<i class="title size-{{ paper | size }}" style="color: var(--thing)"></i>{% include "_parts/head.html" %}`,
  );
  const { status, faults } = check();
  expect(status).toBe(1);
  expect(faults).toEqual([
    'card/style.css:4 Got ".titel", but no element has this class. Did you mean ".title"?',
    'card/style.css:5 Got ".rest", but no element has this class. Correct the name, or remove the rule.',
    'card/style.css:4 Got var(--acent), which nothing declares, so the browser ignores the declaration. Did you mean "--accent"?',
    "card/style.css:7 Got var(--nothing), which nothing declares, so the browser ignores the declaration. Declare it, or add a fallback after a comma.",
    "card/template.html:2 Got var(--thing), which nothing declares, so the browser ignores the declaration. Declare it, or add a fallback after a comma.",
  ]);
});
