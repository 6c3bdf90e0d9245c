/** The forms in which a template writes a date. */
const FORMS = {
  long: { dateStyle: "long" },
  full: { dateStyle: "full" },
  numbers: { day: "numeric", month: "numeric", year: "numeric" },
  weekday: { weekday: "long" },
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** English without a region writes the day first, as most languages do. */
const DEFAULT_LANGUAGE = "en-GB";

/** The locale that formats dates and numbers in a language: English where a language has no data. */
function localeOf(language: string): string {
  if (language === "" || language === "en") return DEFAULT_LANGUAGE;
  const [supported] = Intl.DateTimeFormat.supportedLocalesOf([language], { localeMatcher: "lookup" });
  return supported ?? DEFAULT_LANGUAGE;
}

const KEPT_FORMATS = 200;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(language: string, form: keyof typeof FORMS): Intl.DateTimeFormat {
  const key = `${language} ${form}`;
  const known = formats.get(key);
  if (known) return known;
  // A date on a picture is local to its event. See the field type `date`.
  const format = new Intl.DateTimeFormat(localeOf(language), { ...FORMS[form], timeZone: "UTC" });
  if (formats.size >= KEPT_FORMATS) formats.clear();
  formats.set(key, format);
  return format;
}

/**
 * Writes a date with the words, the digits and the calendar that a language uses.
 * @throws TypeError for an unknown form, RangeError for a language that is no BCP 47 tag
 */
export function writeDate(date: unknown, form: string, language: string): string {
  if (date === null || date === undefined || date === "") return "";
  if (!Object.hasOwn(FORMS, form))
    throw new TypeError(`Got the date form "${form}", want one of ${Object.keys(FORMS).join(", ")}`);
  return formatFor(language, form as keyof typeof FORMS).format(new Date(String(date)));
}

/** Writes a number with the digits and separators that a language uses. */
export function writeNumber(value: unknown, language: string): string {
  if (value === null || value === undefined || value === "") return "";
  return new Intl.NumberFormat(localeOf(language)).format(Number(value));
}
