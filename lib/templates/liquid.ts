import {
  CaptureTag,
  Context,
  type FilterImplOptions,
  filters,
  Liquid,
  LiquidError,
  type Template as LiquidNode,
} from "liquidjs";
import { COLOR_FILTERS } from "#lib/type/contrast/color-filters.ts";
import { writeDate, writeNumber } from "#lib/type/text/dates.ts";
import { glyphLanguage } from "#lib/type/text/language.ts";
import { writeMore } from "#lib/type/text/local-more.ts";
import { MarkedText, markWords } from "#lib/type/text/marks.ts";
import { fillPlain, type Output, placeholder, type TextSettings, writeOutputs } from "#lib/type/text/runs.ts";
import { detectScript } from "#lib/type/text/scripts.ts";
import { ItemIndex } from "./lists/item-index.ts";
import { type FileFault, MARKUP_FILE } from "./template.ts";

/** Characters of source. Far larger than any template, and far smaller than a source that takes a second to parse. */
const PARSE_LIMIT = 500_000;
/** Milliseconds for one document. */
const RENDER_LIMIT_MS = 2_000;
/** Characters of output and intermediate strings: several times the images of a request. */
const MEMORY_LIMIT = 200_000_000;

/** Tags that read other files. */
const FILE_TAGS = ["include", "render", "layout", "block"];
/** Filters that undo the escaping or return a random result. */
const REFUSED_FILTERS = ["raw", "sample"];

type FilterFunction = Extract<FilterImplOptions, (...rest: never[]) => unknown>;

/** Filters that take a date and read {@link CLOCK_WORDS} as the current time. */
const DATE_FILTERS = ["date", "date_to_xmlschema", "date_to_rfc822", "date_to_string", "date_to_long_string"];
const CLOCK_WORDS = ["now", "today"];

/** Makes the date filters refuse the current time, so that a picture does not depend on when it is rendered. */
function refuseClock(engine: Liquid): void {
  for (const name of DATE_FILTERS) {
    const filter = engine.filters[name];
    if (typeof filter !== "function") continue;
    engine.registerFilter(name, function (this: ThisParameterType<FilterFunction>, date: unknown, ...rest: unknown[]) {
      if (CLOCK_WORDS.includes(String(date)))
        throw new TypeError(`"${date}" is refused: a picture must not depend on the current time`);
      return filter.call(this, date, ...rest);
    });
  }
}

const PLAIN_SETTINGS: TextSettings = {
  language: "",
  direction: "ltr",
  isWhole: () => false,
  typeset: (text) => text,
  textOf: () => "",
  languageOf: () => "",
  languageOfField: () => "",
};

/** The registers of a Liquid context: the outputs of a document, and how its texts are written. */
const OUTPUTS = "outputs";
const SETTINGS = "settings";

function settingsOf(context: Context): TextSettings {
  return context.getRegister<TextSettings>(SETTINGS, PLAIN_SETTINGS);
}

function outputsOf(context: Context): Output[] {
  return context.getRegister<Output[]>(OUTPUTS, []);
}

const escapeText = filters.escape as FilterFunction;

/** Keeps an output for {@link writeOutputs}, and returns its placeholder. */
function keepOutput(this: ThisParameterType<FilterFunction>, value: unknown): string {
  if (value instanceof ItemIndex) return String(value);
  const escaped: string = escapeText.call(this, value instanceof MarkedText ? value.text : value);
  const outputs = outputsOf(this.context);
  const mark = value instanceof MarkedText ? { start: value.start, end: value.end } : undefined;
  outputs.push({ text: String(value ?? ""), escaped, ...(mark && { mark }) });
  return placeholder(outputs.length - 1);
}

/** A capture holds the escaped text of its outputs, so that filters and conditions see text instead of placeholders. */
class FilledCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const outputs = outputsOf(context);
    const before = outputs.length;
    yield* super.render(context);
    const scope = context.bottom();
    scope[this.variable] = fillPlain(String(scope[this.variable]), outputs);
    outputs.length = before;
  }
}

/** Filters that follow the language of the document unless the template states one. */
function registerLanguageFilters(engine: Liquid): void {
  const languageOf = (context: Context, stated: unknown) => String(stated || settingsOf(context).language);
  engine.registerFilter("language", function (text: unknown) {
    return settingsOf(this.context).languageOf(String(text ?? ""));
  });
  engine.registerFilter("lang", function (text: unknown) {
    return glyphLanguage(String(text ?? ""), settingsOf(this.context).language);
  });
  engine.registerFilter("long_date", function (date: unknown, language: unknown) {
    return writeDate(date, "long", languageOf(this.context, language));
  });
  engine.registerFilter("local_date", function (date: unknown, form: unknown = "long", language?: unknown) {
    return writeDate(date, String(form), languageOf(this.context, language));
  });
  engine.registerFilter("local_number", function (value: unknown, language?: unknown) {
    return writeNumber(value, languageOf(this.context, language));
  });
  engine.registerFilter("local_more", function (count: unknown, language?: unknown) {
    return writeMore(count, languageOf(this.context, language));
  });
}

function createEngine(): Liquid {
  const engine = new Liquid({
    outputEscape: keepOutput,
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: "en",
    parseLimit: PARSE_LIMIT,
    renderLimit: RENDER_LIMIT_MS,
    memoryLimit: MEMORY_LIMIT,
    templates: {},
  });
  engine.registerTag("capture", FilledCapture);
  for (const tag of FILE_TAGS) delete engine.tags[tag];
  for (const filter of REFUSED_FILTERS) delete engine.filters[filter];
  refuseClock(engine);
  registerLanguageFilters(engine);
  engine.registerFilter("mark", (text: unknown, words: unknown) => {
    return markWords(String(text ?? ""), String(words ?? "")) ?? text;
  });
  engine.registerFilter("script", (text: unknown) => detectScript(String(text ?? "")));
  for (const [name, filter] of Object.entries(COLOR_FILTERS)) engine.registerFilter(name, filter);
  return engine;
}

const engine = createEngine();

/** Parses a template's source. @throws liquidjs ParseError, with the line in its token */
export function parseLiquid(source: string): LiquidNode[] {
  return engine.parse(source);
}

/** A filled body, and the texts that its outputs show. */
export type FilledBody = { html: string; shown: Set<string> };

/**
 * Fills a parsed template. Every output is HTML-escaped once, and written as {@link writeOutputs} does.
 * @throws liquidjs RenderError for an undeclared variable
 */
export function fillLiquid(
  nodes: LiquidNode[],
  values: Record<string, unknown>,
  settings: TextSettings = PLAIN_SETTINGS,
): FilledBody {
  const context = new Context(values, engine.options, { sync: true }, { liquid: engine });
  context.setRegister(SETTINGS, settings);
  const source: string = engine.renderSync(nodes, context);
  const outputs = outputsOf(context);
  return { html: writeOutputs(source, outputs, settings), shown: new Set(outputs.map(({ text }) => text)) };
}

/** Converts an error of liquidjs into a fault with its line. @throws any other error as it is */
export function liquidFault(error: unknown): FileFault {
  if (!LiquidError.is(error)) throw error;
  const [line = 1] = error.token.getPosition();
  return { file: MARKUP_FILE, line, reason: error.message.replace(/, line:\d+, col:\d+$/, ".") };
}
