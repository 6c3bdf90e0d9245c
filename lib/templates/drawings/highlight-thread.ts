import { parentPort } from "node:worker_threads";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { codeToTokensBase, createShikiPrimitive } from "@shikijs/primitive";

/** Code to colour. Node runs this file as it is, so it names types only. */
export type HighlightOrder = { id: number; text: string; language: string; kinds: readonly string[] };

export type HighlightAnswer =
  /** The grammar is ready, and the time of the code itself begins. */
  | { id: number; isLoaded: true }
  | { id: number; lines: { text: string; kind: string }[][] }
  | { id: number; error: string };

/** TextMate scopes by the kind of token that they mean. Where several match, the longest scope decides. */
const SCOPES: Record<string, string[]> = {
  comment: ["comment", "punctuation.definition.comment"],
  string: ["string", "punctuation.definition.string", "markup.inline.raw", "markup.fenced_code"],
  constant: ["constant", "support.constant", "variable.language", "markup.underline.link"],
  keyword: [
    ...["keyword", "storage", "keyword.operator.new", "keyword.operator.expression", "keyword.operator.word"],
    ...["keyword.operator.logical.python", "markup.heading", "entity.name.section", "markup.bold"],
  ],
  function: ["entity.name.function", "support.function", "entity.name.command"],
  type: ["entity.name.type", "entity.name.class", "entity.other.inherited-class", "support.type", "support.class"],
  tag: ["entity.name.tag", "punctuation.definition.tag"],
  attribute: ["entity.other.attribute-name"],
  property: [
    "support.type.property-name",
    "variable.other.property",
    "meta.object-literal.key",
    "variable.other.member",
  ],
  operator: ["keyword.operator"],
  inserted: ["markup.inserted", "punctuation.definition.inserted"],
  deleted: ["markup.deleted", "punctuation.definition.deleted"],
};

/** A theme whose colours are numbers of kinds. */
const colorOf = (index: number) => `#${index.toString(16).padStart(6, "0")}`;

function themeOf(kinds: readonly string[]) {
  const settings = kinds.flatMap((kind, index) =>
    SCOPES[kind] ? [{ scope: SCOPES[kind], settings: { foreground: colorOf(index) } }] : [],
  );
  return { name: "kinds", type: "light" as const, settings: [{ settings: { foreground: colorOf(0) } }, ...settings] };
}

/**
 * Lines that are this long have no colours. Some patterns take a time that grows with the cube of a line's length: 2,000 times
 * `<` as a shell script took 5 seconds of processor time, and 300 take 30 ms. Lines that a picture shows are shorter. Patterns of
 * C++ and C# take a time that doubles with each sign of some short lines. {@link highlightCode} refuses these.
 */
const LINE_LIMIT_CHARS = 300;

/**
 * Is coloured when a grammar is loaded. Patterns are compiled at their first use: those of C++ take 2 seconds of processor time. That
 * time belongs to the grammar, not to the first code in it.
 */
const WARM_UP = "#a\n/* b */ // c\nclass d<e> : f { g(h) = i[0] ? \"j\" : 'k'; }\n";

type Shiki = ReturnType<typeof createShikiPrimitive>;

/** A language costs up to a second and some megabytes, and is kept for the next code. */
const loaded = new Map<string, Promise<Shiki>>();

async function load(language: string, kinds: readonly string[]): Promise<Shiki> {
  const { default: langs } = await import(`@shikijs/langs/${language}`);
  const shiki = createShikiPrimitive({
    themes: [themeOf(kinds)],
    langs,
    engine: createJavaScriptRegexEngine(),
    warnings: false,
  });
  tokensOf(shiki, WARM_UP, language);
  return shiki;
}

function tokensOf(shiki: Shiki, text: string, lang: string) {
  // No time limit: on a busy machine it would leave the rest of a line without colours. It does not end a search for a pattern either.
  const options = { lang, theme: "kinds", tokenizeTimeLimit: 0, tokenizeMaxLineLength: LINE_LIMIT_CHARS };
  return codeToTokensBase(shiki, text, options);
}

async function highlight(order: HighlightOrder): Promise<{ text: string; kind: string }[][]> {
  const { id, text, language, kinds } = order;
  const known = loaded.get(language) ?? load(language, kinds);
  loaded.set(language, known);
  const shiki = await known;
  parentPort?.postMessage({ id, isLoaded: true } satisfies HighlightAnswer);
  const kindOf = (color = "") => kinds[Number.parseInt(color.slice(1), 16)] ?? "plain";
  return tokensOf(shiki, text, language).map((line) =>
    line.map(({ content, color }) => ({ text: content, kind: kindOf(color) })),
  );
}

parentPort?.on("message", async (order: HighlightOrder) => {
  try {
    parentPort?.postMessage({ id: order.id, lines: await highlight(order) } satisfies HighlightAnswer);
  } catch (error) {
    parentPort?.postMessage({ id: order.id, error: String(error) } satisfies HighlightAnswer);
  }
});
