import { Select } from "../../../ui/form/select.tsx";
import { asText, type ControlProps, type DeclarationOf } from "./control.ts";

/**
 * The languages of most cards, by their English names in CLDR. Any other BCP 47 tag can be sent in a request, or stand in the
 * page's address. The names are written here because those of `Intl` differ between the server and browsers, and then React
 * would replace the form, with what was chosen before.
 */
const LANGUAGES: Record<string, string> = {
  af: "Afrikaans",
  sq: "Albanian",
  "en-US": "American English",
  am: "Amharic",
  ar: "Arabic",
  hy: "Armenian",
  az: "Azerbaijani",
  bn: "Bangla",
  eu: "Basque",
  be: "Belarusian",
  bs: "Bosnian",
  "pt-BR": "Brazilian Portuguese",
  bg: "Bulgarian",
  my: "Burmese",
  ca: "Catalan",
  "zh-HK": "Chinese (Hong Kong SAR China)",
  hr: "Croatian",
  cs: "Czech",
  da: "Danish",
  nl: "Dutch",
  en: "English",
  et: "Estonian",
  fil: "Filipino",
  fi: "Finnish",
  fr: "French",
  gl: "Galician",
  ka: "Georgian",
  de: "German",
  el: "Greek",
  gu: "Gujarati",
  he: "Hebrew",
  hi: "Hindi",
  hu: "Hungarian",
  is: "Icelandic",
  id: "Indonesian",
  ga: "Irish",
  it: "Italian",
  ja: "Japanese",
  kn: "Kannada",
  kk: "Kazakh",
  km: "Khmer",
  ko: "Korean",
  lo: "Lao",
  lv: "Latvian",
  lt: "Lithuanian",
  mk: "Macedonian",
  ms: "Malay",
  ml: "Malayalam",
  mr: "Marathi",
  mn: "Mongolian",
  ne: "Nepali",
  nb: "Norwegian Bokmål",
  nn: "Norwegian Nynorsk",
  or: "Odia",
  ps: "Pashto",
  fa: "Persian",
  pl: "Polish",
  pt: "Portuguese",
  pa: "Punjabi",
  ro: "Romanian",
  ru: "Russian",
  sr: "Serbian",
  "sr-Latn": "Serbian (Latin)",
  "zh-Hans": "Simplified Chinese",
  si: "Sinhala",
  sk: "Slovak",
  sl: "Slovenian",
  es: "Spanish",
  sw: "Swahili",
  sv: "Swedish",
  ta: "Tamil",
  te: "Telugu",
  th: "Thai",
  "zh-Hant": "Traditional Chinese",
  tr: "Turkish",
  uk: "Ukrainian",
  ur: "Urdu",
  uz: "Uzbek",
  vi: "Vietnamese",
  cy: "Welsh",
  yi: "Yiddish",
  yo: "Yoruba",
  zu: "Zulu",
};

const OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

export function LanguageControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"language">>) {
  const text = asText(value);
  const unknown = text !== "" && !Object.hasOwn(LANGUAGES, text) ? [{ value: text, label: text }] : [];
  return (
    <Select
      {...frame}
      value={text}
      aria-required={declaration.required}
      options={[{ value: "", label: "Found from the texts" }, ...OPTIONS, ...unknown]}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
