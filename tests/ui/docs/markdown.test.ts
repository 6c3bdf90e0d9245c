import fc from "fast-check";
import { marked, type Token } from "marked";
import { expect, it } from "vitest";
import { plain, table } from "../../../app/docs/content/table.ts";
import { parseMarkdown, textOf } from "../../../app/docs/markdown/parse.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  "[x](javascript:alert(1))",
  "a | b `c` **d** _e_ ~~f~~",
  "![x](//evil.example/y.png)",
  "\\| \\` back\\slash",
];

it.each(HOSTILE)("a template's words are shown as plain text: %s", (text) => {
  const { tokens } = parseMarkdown(table(["field", "about"], [["x", plain(text)]]));
  const [first] = tokens as [Extract<Token, { type: "table" }>];
  const cells = first.rows[0] as { tokens: Token[] }[];
  expect(cells).toHaveLength(2);
  expect(cells[1]?.tokens.map(textOf).join("")).toBe(text);
  expect(cells[1]?.tokens.map(({ type }) => type).filter((type) => type !== "text" && type !== "escape")).toEqual([]);
});

it("any words on one line are shown unchanged", () => {
  const words = fc.string({ unit: "grapheme-ascii", minLength: 1 }).map((text) => text.replace(/\s+/g, " ").trim());
  fc.assert(
    fc.property(words, (text) => {
      const shown = marked.Lexer.lexInline(plain(text)).map(textOf).join("");
      expect(shown).toBe(text);
    }),
  );
});

it("headings have ids, and code blocks and tables have unique names", () => {
  const text =
    "## A\n\n```sh Do it\nx\n```\n\n```json\n1\n```\n\n```json\n2\n```\n\n### A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
  const { headings, names } = parseMarkdown(text);
  expect(headings.map(({ id }) => id)).toEqual(["a", "a-1"]);
  expect([...names.values()]).toEqual(["a", "Do it", "JSON: A", "JSON: A (2)", "a-1", "A"]);
});
