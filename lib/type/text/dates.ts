import { dateLocale, keepFormats } from "./locales.ts";

/** The forms in which a template writes a date. */
const FORMS = {
  long: { dateStyle: "long" },
  full: { dateStyle: "full" },
  medium: { dateStyle: "medium" },
  numbers: { day: "numeric", month: "numeric", year: "numeric" },
  weekday: { weekday: "long" },
  "short-weekday": { weekday: "short" },
  day: { day: "numeric", month: "long" },
  month: { month: "long", year: "numeric" },
  year: { year: "numeric" },
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  zone: { timeZoneName: "short" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

type Form = keyof typeof FORMS;

/** Whether a word is the name of a form. */
export function isDateForm(form: string): form is Form {
  return Object.hasOwn(FORMS, form);
}

function formOf(form: string): Form {
  if (isDateForm(form)) return form;
  throw new TypeError(`Got the date form "${form}", want one of ${Object.keys(FORMS).join(", ")}`);
}

const formatFor = keepFormats(
  (locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => new Intl.DateTimeFormat(locale, options),
);

/** A date in the form of the field type `date`. A local one has no zone, and is written as UTC. */
export type DateParts = { instant: Date; zone: string };

/** Reads a date in the form that a template has it. Undefined for any other text. */
export function readDate(date: unknown): DateParts | undefined {
  const [, moment = "", zone = "UTC"] = /^([^[]+)(?:\[([\w+/-]+)\])?$/.exec(String(date)) ?? [];
  const instant = new Date(moment);
  return Number.isNaN(instant.getTime()) ? undefined : { instant, zone };
}

function formatIn(language: string, form: string, zone: string): Intl.DateTimeFormat {
  return formatFor(dateLocale(language), { ...FORMS[formOf(form)], timeZone: zone });
}

/**
 * Writes a date with the words, the digits and the calendar that a language uses. A text that is no date stays as it is.
 * @throws TypeError for an unknown form, RangeError for a language that is no BCP 47 tag
 */
export function writeDate(date: unknown, form: string, language: string): string {
  if (date === null || date === undefined || date === "") return "";
  const parts = readDate(date);
  if (!parts) return String(date);
  const format = formatIn(language, form, parts.zone);
  if (form !== "zone") return format.format(parts.instant);
  // A local date has no zone to name.
  if (!String(date).includes("[")) return "";
  return format.formatToParts(parts.instant).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/**
 * Writes the days or the times from one date to another. What both have in common is written once, and dates that are the
 * same in this form are written as one.
 * @throws as {@link writeDate}
 */
export function writeDateRange(range: { from: string; to: string }, form: string, language: string): string {
  const [from, to] = [readDate(range.from), readDate(range.to)];
  if (!from || !to || form === "zone") return writeDate(range.from, form, language);
  const format = formatIn(language, form, from.zone);
  return joinDate(rangeParts({ format, language }, from, to));
}

type RangeStyle = { format: Intl.DateTimeFormat; language: string };

/** The pieces of a range. `Intl` adds the year to days of different years, but not in the Persian calendar. */
function rangeParts({ format, language }: RangeStyle, from: DateParts, to: DateParts): DatePart[] {
  const parts = format.formatRangeToParts(from.instant, to.instant);
  const types = new Set<string>(parts.map(({ type }) => type));
  const years = [from, to].map(({ instant, zone }) => formatIn(language, "year", zone).format(instant));
  if (!types.has("day") || types.has("year") || types.has("relatedYear") || years[0] === years[1]) return parts;
  const withYear = { ...FORMS.day, ...FORMS.year, timeZone: from.zone };
  return formatFor(dateLocale(language), withYear).formatRangeToParts(from.instant, to.instant);
}

type DatePart = { type: string; value: string; source: string };

/**
 * The text of a range, of which a line does not end between a day and its month: 1. Januar 2026 – 1. / Januar 2027. Norwegian, Danish,
 * Swedish and Slovenian have no space around the dash. Between ends of several words, they get the thin ones of other languages, so that
 * a line can end there.
 */
function joinDate(parts: DatePart[]): string {
  const isOfWords = ["startRange", "endRange"].every((end) =>
    parts.some(({ source, value }) => source === end && value.includes(" ")),
  );
  const typeAt = (index: number) => parts[index]?.type ?? "";
  return parts
    .map(({ type, source, value }, index) => {
      if (type !== "literal") return value;
      if (isOfWords && source === "shared" && /^[-–]$/.test(value)) return "\u2009–\u2009";
      const isInside = ["day,month", "month,day"].includes(`${typeAt(index - 1)},${typeAt(index + 1)}`);
      return isInside ? value.replace(/^(\.?) $/, "$1\u00a0") : value;
    })
    .join("");
}
