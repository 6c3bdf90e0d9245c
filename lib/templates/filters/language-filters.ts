import type { Context, FilterImplOptions, Liquid } from "liquidjs";
import { isDateForm, readDate, writeDate } from "#lib/type/text/dates.ts";
import { glyphLanguage } from "#lib/type/text/language.ts";
import { writeMore } from "#lib/type/text/local-more.ts";
import { writeMoney, writeNumber } from "#lib/type/text/numbers.ts";
import type { TextSettings } from "#lib/type/text/runs.ts";
import { moneyStyle, numberStyle } from "./filter-styles.ts";
import { joinParts, WrittenValue } from "./written-value.ts";

type FilterFunction = Extract<FilterImplOptions, (...rest: never[]) => unknown>;
type FilterThis = ThisParameterType<FilterFunction>;

/** Words that the date filters of liquidjs read as the current time. */
const CLOCK_WORDS = ["now", "today"];
const CLOCK_FILTERS = ["date", "date_to_xmlschema", "date_to_rfc822", "date_to_string", "date_to_long_string"];

function refuseClock(date: unknown): void {
  if (CLOCK_WORDS.includes(String(date)))
    throw new TypeError(`"${date}" is refused: a picture must not depend on the current time`);
}

/** The arguments of a filter: liquidjs passes a named one as a pair. */
function argumentsOf(args: unknown[]): { positional: unknown[]; named: Record<string, unknown> } {
  return {
    positional: args.filter((argument) => !Array.isArray(argument)),
    named: Object.fromEntries(args.filter((argument): argument is [string, unknown] => Array.isArray(argument))),
  };
}

/** A number as a text has it. JavaScript, which `append: ""` writes it with, gives tiny and huge ones an exponent with a sign. */
const NUMBER_TEXT = /^\s*-?\d+(?:\.\d+)?(?:e[+-]\d+)?\s*$/;

/** A number, or a text that is one. The fields of a template may be texts, which stay as they are. */
function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && NUMBER_TEXT.test(value) ? Number(value) : undefined;
}

/** Writes a value that knows its own forms. @throws TypeError where the filter is not for it */
function rewritten(value: WrittenValue, filter: string, args: unknown[], language: string): string {
  const { positional, named } = argumentsOf(args);
  const text = value.writtenAs({ filter, form: positional[0], options: named, language });
  if (text === undefined) throw new TypeError(`The filter "${filter}" is not for "${value}". Remove it`);
  return text;
}

type SettingsOf = (context: Context) => TextSettings;

/** The language that a filter writes in: a stated one, else that of the document. */
function languageFrom(context: Context, stated: unknown, settingsOf: SettingsOf): string {
  return String(stated || settingsOf(context).language);
}

function registerNumbers(engine: Liquid, settingsOf: SettingsOf): void {
  engine.registerFilter("number", function (value: unknown, ...args: unknown[]) {
    const { positional, named } = argumentsOf(args);
    const language = languageFrom(this.context, named.language, settingsOf);
    if (value instanceof WrittenValue) return rewritten(value, "number", args, language);
    const style = numberStyle(positional[0], named);
    const number = readNumber(value);
    return number === undefined ? value : joinParts(writeNumber(number, style, language));
  });
  engine.registerFilter("money", function (value: unknown, ...args: unknown[]) {
    const { positional, named } = argumentsOf(args);
    const language = languageFrom(this.context, named.language, settingsOf);
    if (value instanceof WrittenValue) return rewritten(value, "money", args, language);
    const style = moneyStyle(positional[0], named);
    const number = readNumber(value);
    return number === undefined ? value : joinParts(writeMoney(number, style, language));
  });
  engine.registerFilter("local_number", function (value: unknown, language?: unknown) {
    const number = readNumber(value instanceof WrittenValue ? value.valueOf() : value);
    return number === undefined
      ? value
      : joinParts(writeNumber(number, {}, languageFrom(this.context, language, settingsOf)));
  });
}

function registerDates(engine: Liquid, settingsOf: SettingsOf): void {
  for (const name of CLOCK_FILTERS) {
    const filter = engine.filters[name];
    if (typeof filter !== "function") continue;
    engine.registerFilter(name, function (this: FilterThis, date: unknown, ...args: unknown[]) {
      refuseClock(date);
      const { zone = "UTC", instant } = readDate(date) ?? {};
      if (zone === "UTC" || !instant) return filter.call(this, date, ...args);
      return filter.call(this, instant.toISOString(), args[0], zone);
    });
  }
  const pattern = engine.filters.date as FilterFunction;
  engine.registerFilter("date", function (this: FilterThis, date: unknown, ...args: unknown[]) {
    const { positional, named } = argumentsOf(args);
    const [form = "long", stated] = positional;
    if (String(form).includes("%")) return pattern.call(this, date, ...args);
    refuseClock(date);
    const language = languageFrom(this.context, stated ?? named.language, settingsOf);
    if (date instanceof WrittenValue) return rewritten(date, "date", args, language);
    if (!isDateForm(String(form)) && readDate(date) === undefined) return date;
    return writeDate(date, String(form), language);
  });
  engine.registerFilter("long_date", function (date: unknown, language: unknown) {
    return writeDate(date, "long", languageFrom(this.context, language, settingsOf));
  });
  engine.registerFilter("local_date", function (date: unknown, form: unknown = "long", language?: unknown) {
    return writeDate(date, String(form), languageFrom(this.context, language, settingsOf));
  });
}

/** Registers the filters that follow the language of the document unless the template states one. */
export function registerLanguageFilters(engine: Liquid, settingsOf: SettingsOf): void {
  registerNumbers(engine, settingsOf);
  registerDates(engine, settingsOf);
  engine.registerFilter("local_more", function (count: unknown, language?: unknown) {
    return writeMore(count, languageFrom(this.context, language, settingsOf));
  });
  engine.registerFilter("language", function (text: unknown) {
    return settingsOf(this.context).languageOf(String(text ?? ""));
  });
  engine.registerFilter("lang", function (text: unknown) {
    return glyphLanguage(String(text ?? ""), settingsOf(this.context).language);
  });
}
