import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { compileRegistry } from "#lib/templates/build-registry.ts";
import { composeDocument } from "#lib/templates/compose.ts";
import { CODE_LANGUAGES, type CodeLine } from "#lib/templates/drawings/code-languages.ts";
import { cellsOf, layOutCode } from "#lib/templates/drawings/code-layout.ts";
import { highlightCode } from "#lib/templates/drawings/highlight.ts";
import { readFields } from "#lib/templates/field-values.ts";
import { codeDeclaration, codeField } from "#lib/templates/fields/code.ts";
import { documentWarnings, overlongDrawings } from "#lib/templates/warnings.ts";
import { manifestWith, TITLE, templatesRoot, writeTemplate } from "../template-folder.ts";

afterAll(() => shutDown());

const BLOCK = "{{ snippet | code_block: width: 600, height: 300, size: 20, min: 10, numbers: true, ground: '#fff' }}";

async function templateWith(html: string, field: object = {}) {
  const root = templatesRoot();
  writeTemplate(root, "card", {
    "template.json": manifestWith({ title: TITLE, snippet: { type: "code", label: "Code", ...field } }),
    "template.html": `{{ title }}${html}`,
  });
  const { templates, faults } = await compileRegistry(root);
  return { template: templates[0], faults: faults.map(({ line, reason }) => `${line} ${reason}`) };
}

async function compose(snippet: unknown, html = `<div>${BLOCK}</div>`) {
  const { template, faults } = await templateWith(html);
  if (!template) throw new Error(faults.join("\n"));
  const base = template.variants.plain?.values ?? {};
  const { values, issues } = await readFields({
    declarations: template.fields,
    values: { snippet },
    base,
    path: "/data",
  });
  expect(issues).toEqual([]);
  const document = composeDocument(template, values);
  return { html: document.html, composed: { template, base, values, document } };
}

async function readOne(value: unknown, rest: object = {}): Promise<unknown> {
  const read = await codeField.read(value, codeDeclaration.parse({ type: "code", label: "Code", ...rest }), {});
  if ("fault" in read) return `${read.fault.code}: ${read.fault.message}`;
  return "finish" in read ? undefined : read.value;
}

const linesOf = (text: string): CodeLine[] =>
  text
    .split("\n")
    .map((line, index) => ({ number: index + 1, marked: false, tokens: [{ text: line, kind: "plain" }] }));

const ROOM = { width: 600, height: 300, size: 20, minSize: 10, leading: 1.5, long: "wrap", hasNumbers: false } as const;

test("tokens have kinds, lines have numbers and marks, and their texts are the code", async () => {
  const text = "const wait = 5; // seconds\n\nstart(`in ${wait}`);";
  const value = (await readOne({ text, language: "typescript", lines: "1, 3-3" })) as { lines: CodeLine[] };
  expect(value.lines.map(({ number, marked }) => [number, marked])).toEqual([
    [1, true],
    [2, false],
    [3, true],
  ]);
  expect(value.lines.map(({ tokens }) => tokens.map((token) => token.text).join("")).join("\n")).toBe(text);
  const kinds = Object.fromEntries(
    value.lines.flatMap(({ tokens }) => tokens.map((token) => [token.text.trim(), token.kind])),
  );
  expect(kinds).toMatchObject({ const: "keyword", "5": "constant", "// seconds": "comment", start: "function" });
});

test("the code of a list's item has the rules of a block: without them, its lines would be one", async () => {
  const rulesOf = async (fields: object, html: string) => {
    const root = templatesRoot();
    writeTemplate(root, "card", {
      "template.json": manifestWith({ title: TITLE, ...fields }),
      "template.html": `{{ title }}${html}`,
    });
    const [template] = (await compileRegistry(root)).templates;
    return /code-block\{[^<]*\}/.exec(
      template ? composeDocument(template, template.variants.plain?.values ?? {}).html : "",
    )?.[0];
  };
  const snippet = { type: "code", label: "Code" };
  const alone = await rulesOf({ snippet }, `<div>${BLOCK}</div>`);
  expect(alone).toContain("white-space:pre");
  const block = `{% for row in rows %}<div>${BLOCK.replace("snippet", "row.snippet")}</div>{% endfor %}`;
  expect(await rulesOf({ rows: { type: "list", label: "Rows", max: 3, item: { snippet } } }, block)).toBe(alone);
});

test("there are at least 30 languages, and each is one that the thread has", async () => {
  const languages = Object.keys(CODE_LANGUAGES);
  expect(languages.length).toBeGreaterThanOrEqual(30);
  for (const language of ["bash", "docker", "yaml", "zig"])
    expect(
      (await highlightCode("# x\ny: 1", language))
        .flat()
        .map(({ text }) => text)
        .join(""),
    ).toBe("# xy: 1");
});

test("a request that ends stops waiting, and the next one gets its code", async () => {
  const gone = new AbortController();
  const waiting = highlightCode("let x = 1", "javascript", gone.signal);
  gone.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  expect((await highlightCode("let x = 1", "javascript")).flat()[0]).toEqual({ text: "let", kind: "keyword" });
});

test("a request that ends while its code is coloured leaves the thread, with its grammars, to others", async () => {
  await highlightCode("let x = 1", "javascript");
  const threads = vi.fn();
  subscribe("worker_threads", threads);
  onTestFinished(() => void unsubscribe("worker_threads", threads));
  const gone = new AbortController();
  const waiting = highlightCode(Array(40).fill("あ".repeat(100)).join("\n"), "javascript", gone.signal);
  await nextTurn();
  gone.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  expect((await highlightCode("let x = 1", "javascript")).flat()[0]).toEqual({ text: "let", kind: "keyword" });
  expect(threads).not.toHaveBeenCalled();
});

test.each([
  [5, 'invalid_type: Got 5, want code as a string, or as { "text", "language", "lines" }.'],
  [{ code: "x" }, "invalid_type: Got nothing, want the code as a string in text."],
  [{ text: "x", code: "x" }, 'invalid_code: Got the key "code", want only "text", "language", "lines".'],
  [{ text: "", language: "pyton" }, 'invalid_language: Got the language "pyton", want "python".'],
  [`e${"\u0301".repeat(35)}`, "invalid_text: Got a letter with more than 30 combining marks, want at most 30."],
  [{ text: "x", language: "pyton" }, 'invalid_language: Got the language "pyton", want "python".'],
  [{ text: "x\ny", lines: "2-3" }, 'invalid_lines: Got the lines "2-3", want numbers from 1 to 2 such as "2, 5-7".'],
  [{ text: "x", lines: "one" }, 'invalid_lines: Got the lines "one", want numbers from 1 to 1 such as "2, 5-7".'],
  [{ text: "x", lines: "1,".repeat(501) }, "invalid_lines: Got 1002 characters of lines, want at most 1000."],
  ["x".repeat(2_001), "too_long: Got 2001 characters, want at most 2000."],
  [`${"x\n".repeat(61)}x`, "too_long: Got 62 lines, want at most 60."],
  [
    "access = \u202e'admin'",
    "invalid_text: Got a control character or an override of the direction, want code without them.",
  ],
  ["\ud83d", "invalid_text: Got half of a surrogate pair, want whole characters."],
])("%j is refused", async (value, wanted) => {
  expect(await readOne(value)).toBe(wanted);
});

test("tabs are two spaces, and empty lines around the code are left out", async () => {
  expect(await readOne("\n\n\tif x:\n\t\ty  \n\n")).toMatchObject({ text: "  if x:\n    y" });
  expect(await readOne({ text: " \n" })).toBeNull();
});

describe("the layout of code", () => {
  test("is as large as the room allows, and becomes smaller before it wraps", () => {
    expect(layOutCode(linesOf("short"), ROOM)).toMatchObject({ size: 20, hidden: 0 });
    const smaller = layOutCode(linesOf("x".repeat(60)), ROOM);
    expect(smaller).toMatchObject({ size: 16, rows: [expect.anything()] });
  });

  test("wraps long lines with an indent, or cuts them visibly", () => {
    const long = linesOf(`  call(${"argument, ".repeat(12)})`);
    const wrapped = layOutCode(long, ROOM);
    expect(wrapped.rows.length).toBeGreaterThan(1);
    expect(wrapped.rows.map(({ indent, isFirst }) => [indent, isFirst])[1]).toEqual([4, false]);
    expect(
      wrapped.rows
        .flatMap(({ tokens }) => tokens.map(({ text }) => text))
        .join("")
        .replaceAll(" ", ""),
    ).toBe(`call(${"argument,".repeat(12)})`);
    const cut = layOutCode(long, { ...ROOM, long: "cut" });
    expect(cut.rows.map(({ isCut }) => isCut)).toEqual([true]);
  });

  test("no row is wider than the room, whatever the code is", () => {
    for (const text of [
      "x".repeat(900),
      "東京".repeat(90),
      "👩‍👩‍👧‍👦".repeat(40),
      "a b ".repeat(200),
      "Ạ̈".repeat(200),
    ]) {
      const { rows, columns } = layOutCode(linesOf(text), ROOM);
      for (const { tokens, indent } of rows)
        expect(cellsOf(tokens[0]?.text ?? "") + indent).toBeLessThanOrEqual(columns);
    }
  });

  test("counts the lines that have no room", () => {
    const { rows, hidden, size } = layOutCode(linesOf("x\n".repeat(40).trim()), ROOM);
    expect([size, rows.length, hidden]).toEqual([10, 19, 21]);
  });
});

describe("a block of code in a document", () => {
  test("escapes every token once", async () => {
    const { html } = await compose({ text: `<b>"x" & '{{ y }}'</b>`, language: "html" });
    expect(html).not.toContain("<b>");
    expect(html).toContain("&lt;");
    expect(html).not.toContain("&amp;lt;");
  });

  test("warns about lines that are not shown, and refuses an edit that shows less than half", async () => {
    const some = await compose("x\n".repeat(30).trim());
    expect(await documentWarnings(some.composed)).toEqual([
      {
        path: "/data/snippet",
        code: "text_cut",
        message: expect.stringMatching(/^Cut to fit: 19 of 30 lines are shown, at 10 px;/),
      },
    ]);
    expect(overlongDrawings(some.composed)).toEqual([]);
    const many = await compose("x\n".repeat(50).trim());
    expect(overlongDrawings(many.composed)).toMatchObject([{ path: "/data/snippet", code: "text_too_long" }]);
  });
});

test.each([
  ["<p>{{ snippet }}</p>", /1 Got \{\{ snippet \}\}, want \{\{ snippet \| code_block: width: 1000, height: 500 \}\}\./],
  ["<p>{{ snippet | code_block }}</p>", /Got nothing for width of code_block, want a number from 50 to 4096/],
  ["<p>{{ snippet | code_block: wide: 3 }}</p>", /Got "wide" for code_block, want named arguments: width, height/],
  ["<p>{{ title | code_block: width: 600, height: 300 }}</p>{% if snippet %}{% endif %}", /wants a field of type code/],
  [`<b style="color: {{ snippet.text }}">x</b>`, /The code field "snippet" is in the attribute style/],
])("a template that uses code wrongly is refused: %s", async (html, reason) => {
  expect((await templateWith(html)).faults.join("\n")).toMatch(reason);
});

test("a very long line is drawn without colours, because some patterns take minutes for one", async () => {
  const [usual, long] = [`if true; then ${"< ".repeat(100)}`, `if true; then ${"<".repeat(4_000)}`];
  const [first = [], second] = await highlightCode(`${usual}\n${long}`, "bash");
  expect(first.map(({ kind }) => kind)).toContain("keyword");
  expect(second).toEqual([{ text: long, kind: "plain" }]);
});
