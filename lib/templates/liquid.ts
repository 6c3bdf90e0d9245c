import {
  CaptureTag,
  Context,
  type FilterImplOptions,
  filters,
  Liquid,
  LiquidError,
  type Template as LiquidNode,
} from "liquidjs";
import { nearestName } from "#lib/nearest-name.ts";
import { COLOR_FILTERS } from "#lib/type/contrast/color-filters.ts";
import { MarkedText, markMore, markWords } from "#lib/type/text/marks.ts";
import { fillPlain, type Output, placeholder, shownKey } from "#lib/type/text/outputs.ts";
import { type TextSettings, writeOutputs } from "#lib/type/text/runs.ts";
import { detectScript } from "#lib/type/text/scripts.ts";
import { CHART_FILTERS, drawChart } from "./drawings/charts.ts";
import { drawCodeBlock } from "./drawings/code-block.ts";
import { Drawing, type DrawingLoss } from "./drawings/drawing.ts";
import { registerLanguageFilters } from "./filters/language-filters.ts";
import { WrittenValue } from "./filters/written-value.ts";
import { ItemIndex } from "./lists/item-index.ts";
import { DocumentTooLong, REPEATED_CHARS, RepeatedValues } from "./lists/repeated-values.ts";
import { type FileFault, MARKUP_FILE } from "./template.ts";

/** Milliseconds for one document, also on a busy machine. */
const RENDER_LIMIT_MS = 2_000;
/** Steps for one document, which take 0.2 to 0.6 s. The status card has 12,000 with four components of 90 days. */
const STEP_LIMIT = 50_000;
/** Characters of output and intermediate strings: several times the images of a request. */
const MEMORY_LIMIT = 200_000_000;

/** Tags that read other files. */
const FILE_TAGS = ["include", "render", "layout", "block"];
/** Filters that undo the escaping or return a random result, and why they are refused. */
const REFUSED_FILTERS: Record<string, string> = {
  raw: "every output is escaped",
  sample: "the same request gives the same picture",
};

type FilterFunction = Extract<FilterImplOptions, (...rest: never[]) => unknown>;

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
/** What the drawings of a document leave out. */
const LOSSES = "losses";
const REPEATED = "repeated";

function settingsOf(context: Context): TextSettings {
  return context.getRegister<TextSettings>(SETTINGS, PLAIN_SETTINGS);
}

function outputsOf(context: Context): Output[] {
  return context.getRegister<Output[]>(OUTPUTS, []);
}

function lossesOf(context: Context): DrawingLoss[] {
  return context.getRegister<DrawingLoss[]>(LOSSES, []);
}

const escapeText = filters.escape as FilterFunction;

/** Keeps an output for {@link writeOutputs}, and returns its placeholder. */
function keepOutput(this: ThisParameterType<FilterFunction>, value: unknown): string {
  if (value instanceof ItemIndex) return String(value);
  this.context.getRegister<RepeatedValues>(REPEATED, new RepeatedValues()).add(String(value ?? ""));
  const escaped: string = escapeText.call(this, value instanceof MarkedText ? value.text : value);
  const outputs = outputsOf(this.context);
  if (value instanceof Drawing) {
    outputs.push({ text: value.text, escaped: escapeText.call(this, value.text), html: value.html });
    if (value.loss) lossesOf(this.context).push(value.loss);
    return placeholder(outputs.length - 1);
  }
  const spans = value instanceof MarkedText ? value.spans : undefined;
  const isWhole = value instanceof WrittenValue;
  outputs.push({ text: String(value ?? ""), escaped, ...(spans && { spans }), ...(isWhole && { isWhole }) });
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

function createEngine(): Liquid {
  const engine = new Liquid({
    outputEscape: keepOutput,
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: "en",
    renderLimit: RENDER_LIMIT_MS,
    memoryLimit: MEMORY_LIMIT,
    templates: {},
  });
  engine.registerTag("capture", FilledCapture);
  for (const tag of FILE_TAGS) delete engine.tags[tag];
  for (const filter of Object.keys(REFUSED_FILTERS)) delete engine.filters[filter];
  registerLanguageFilters(engine, settingsOf);
  engine.registerFilter("mark", (text: unknown, words: unknown) => {
    if (text instanceof MarkedText) return markMore(text, String(words ?? ""));
    return markWords(String(text ?? ""), String(words ?? "")) ?? text;
  });
  engine.registerFilter("code_block", drawCodeBlock);
  for (const name of CHART_FILTERS)
    engine.registerFilter(name, function (value: unknown, ...args: unknown[]) {
      return drawChart(name, value, args, settingsOf(this.context).language);
    });
  engine.registerFilter("script", (text: unknown) => detectScript(String(text ?? "")));
  for (const [name, filter] of Object.entries(COLOR_FILTERS)) engine.registerFilter(name, filter);
  return engine;
}

const engine = createEngine();

/**
 * Parses the source of a template, also with the files of the template in it: 10 MB of a photograph take 0.14 s. How long the source itself
 * may be is checked where its parts are put into it.
 * @throws liquidjs ParseError, with the line in its token
 */
export function parseLiquid(source: string): LiquidNode[] {
  return engine.parse(source);
}

/** A filled body. */
export type FilledBody = {
  html: string;
  /** The texts that its outputs show, and each with its emphasis: see {@link shownKey}. */
  shown: Set<string>;
  losses: DrawingLoss[];
  /**
   * How many texts, tags and outputs of the source were written, those in loops each time, and a step for every so many characters of
   * markup, drawings and texts. Each takes 4 to 10 µs at most.
   */
  steps: number;
};

/** Characters of markup that take as long as a step: 25 million, such as a logo in each of a hundred items, take 0.13 s. */
const MARKUP_CHARS = 1_000;

/** Characters of a drawing that take as long as a step: a chart of 240 points takes 3 ms. */
const DRAWN_CHARS = 20;

/** The same of a text: 49,000 Arabic letters take 7 ms. */
const TEXT_CHARS = 50;

/** Parts of a text that are set off: 12,000 take 30 ms. */
const SPANS = 2;

/** How many steps it takes to write an output. */
function stepsOf({ text, html, spans = [] }: Output): number {
  return html === undefined ? text.length / TEXT_CHARS + spans.length / SPANS : html.length / DRAWN_CHARS;
}

/** Counts the steps of a context, up to {@link STEP_LIMIT}. Liquid looks at its limit of time before each. */
function countSteps({ renderLimit }: Context): () => number {
  const check = renderLimit.check.bind(renderLimit);
  let steps = 0;
  renderLimit.check = (now) => {
    if (++steps > STEP_LIMIT)
      throw new Error(`The template takes more than ${STEP_LIMIT} steps, want fewer loops within loops.`);
    check(now);
  };
  return () => steps;
}

/**
 * Fills a parsed template. Every output is HTML-escaped once, and written as {@link writeOutputs} does.
 * @throws liquidjs RenderError for an undeclared variable, or a template that takes too long; DocumentTooLong, or a RenderError with it
 */
export function fillLiquid(
  nodes: LiquidNode[],
  values: Record<string, unknown>,
  settings: TextSettings = PLAIN_SETTINGS,
): FilledBody {
  const context = new Context(values, engine.options, { sync: true }, { liquid: engine });
  context.setRegister(SETTINGS, settings);
  const steps = countSteps(context);
  const source: string = engine.renderSync(nodes, context);
  // Its values are placeholders in it. What is left has files of the template, perhaps in loops.
  if (source.length > REPEATED_CHARS) throw new DocumentTooLong();
  const outputs = outputsOf(context);
  const shown = new Set(outputs.flatMap((output) => [output.text, shownKey(output)]));
  const written = outputs.reduce((sum, output) => sum + stepsOf(output), 0);
  return {
    html: writeOutputs(source, outputs, settings),
    shown,
    losses: lossesOf(context),
    steps: steps() + Math.ceil(written) + Math.floor(source.length / MARKUP_CHARS),
  };
}

/** Messages of liquidjs that name what its parser met instead of what the author missed. */
function plainReason(reason: string): string {
  if (reason === 'expected "|" before filter.')
    return 'Got words after the value, want "|" before a filter, or the two braces that end the output.';
  const [, end] = /^tag "(end\w+)" not found\.$/.exec(reason) ?? [];
  if (end !== undefined) return `Got {% ${end} %}, but its tag, or one inside it, was not opened or not closed.`;
  const [, tag] = /^tag "(\w+)" not found\.$/.exec(reason) ?? [];
  const nearest = tag === undefined ? undefined : nearestName(tag, Object.keys(engine.tags));
  return nearest === undefined ? reason : `${reason} Did you mean "${nearest}"?`;
}

/** For the message about a misspelt filter: the one that is meant. */
function filterMeant(reason: string): string {
  const [, name] = /^undefined filter: (\w+)\.$/.exec(reason) ?? [];
  const why = name === undefined ? undefined : REFUSED_FILTERS[name];
  if (why !== undefined) return ` It is refused, because ${why}. Remove it.`;
  const nearest = name === undefined ? undefined : nearestName(name, Object.keys(engine.filters));
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

/** The reason why a template cannot be filled, if that is the length of its document. */
export function documentTooLong(error: unknown): DocumentTooLong | undefined {
  const cause = LiquidError.is(error) ? error.originalError : error;
  return cause instanceof DocumentTooLong ? cause : undefined;
}

/** Converts an error of filling a template into a fault with its line. @throws any other error as it is */
export function liquidFault(error: unknown): FileFault {
  if (error instanceof DocumentTooLong) return { file: MARKUP_FILE, line: 1, reason: `${error.message}.` };
  if (!LiquidError.is(error)) throw error;
  const [line = 1] = error.token.getPosition();
  const reason = error.message.replace(/, line:\d+, col:\d+$/, ".");
  return { file: MARKUP_FILE, line, reason: plainReason(reason) + filterMeant(reason) };
}
