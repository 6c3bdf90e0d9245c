import { parentPort } from "node:worker_threads";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { codeToTokensBase, createShikiPrimitive } from "@shikijs/primitive";
import { LRUCache } from "lru-cache";

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

/**
 * How many compiled patterns are kept: more than a grammar has, 10 kB each. The end of a block may repeat its beginning, such as the
 * name in `<<NAME`, so that code brings patterns of its own. The engine would keep all of them for as long as the thread runs.
 */
const PATTERNS_KEPT = 2_000;

/** After so many others, all grammars are loaded again: each keeps some 300 bytes for every name. Ordinary code brings a few in a day. */
const PATTERNS_FORGOTTEN = 20_000;

let forgotten = 0;

const patterns = new LRUCache<string, RegExp | Error>({ max: PATTERNS_KEPT, dispose: () => void forgotten++ });

/** Of its cache, the engine calls `get` and `set` only. */
const engine = createJavaScriptRegexEngine({ cache: patterns as unknown as Map<string, RegExp | Error> });

type Shiki = ReturnType<typeof createShikiPrimitive>;

/** A language costs up to a second and some megabytes, and is kept for the next code. */
const loaded = new Map<string, Promise<Shiki>>();

async function load(language: string, kinds: readonly string[]): Promise<Shiki> {
  const { default: langs } = await import(`@shikijs/langs/${language}`);
  const shiki = createShikiPrimitive({
    themes: [themeOf(kinds)],
    langs,
    engine,
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

function forgetNames(): void {
  if (forgotten < PATTERNS_FORGOTTEN) return;
  loaded.clear();
  patterns.clear();
  forgotten = 0;
}

async function highlight(order: HighlightOrder): Promise<{ text: string; kind: string }[][]> {
  const { id, text, language, kinds } = order;
  forgetNames();
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
