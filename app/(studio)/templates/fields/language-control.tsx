import { Select } from "../../../ui/form/select.tsx";
import { asText, type ControlProps, type DeclarationOf } from "./control.ts";

/** The languages of most cards. Any other BCP 47 tag can be sent in a request, or stand in the page's address. */
const LANGUAGES = [
  ..."af am ar az be bg bn bs ca cs cy da de el en en-US es et eu fa fi fil fr ga gl gu he hi hr hu hy id".split(" "),
  ..."is it ja ka kk km kn ko lo lt lv mk ml mn mr ms my nb ne nl nn or pa pl ps pt pt-BR ro ru si sk sl sq".split(" "),
  ..."sr sr-Latn sv sw ta te th tr uk ur uz vi yi yo zh-Hans zh-Hant zh-HK zu".split(" "),
];

const names = new Intl.DisplayNames("en", { type: "language" });

/** The name of a tag. A link may hold a text that is no tag, which the service reports. */
function nameOf(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

const OPTIONS = LANGUAGES.map((tag) => ({ value: tag, label: nameOf(tag) })).toSorted((a, b) =>
  a.label.localeCompare(b.label, "en"),
);

export function LanguageControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"language">>) {
  const text = asText(value);
  const unknown = text !== "" && !LANGUAGES.includes(text) ? [{ value: text, label: nameOf(text) }] : [];
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
