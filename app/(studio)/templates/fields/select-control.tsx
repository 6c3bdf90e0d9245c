import { Select } from "../../../ui/select.tsx";
import { asText, type ControlProps, type DeclarationOf } from "./control.ts";

/** Options are words joined by hyphens, which a template may use as class names. */
function optionLabel(option: string): string {
  const words = option.replaceAll("-", " ");
  // Two letters are a code, such as that of a language.
  return option.length <= 2 ? option : words.charAt(0).toUpperCase() + words.slice(1);
}

export function SelectControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"select">>) {
  const { options, required, default: standing } = declaration;
  const isOmittable = !required && standing === undefined;
  const known = options.map((option) => ({ value: option, label: optionLabel(option) }));
  const text = asText(value);
  // What a link asked for and no option is: the service says what is wrong with it.
  const foreign = text !== "" && !options.includes(text) ? [{ value: text, label: text }] : [];
  return (
    <Select
      {...frame}
      value={text}
      aria-required={required}
      options={[...(isOmittable || text === "" ? [{ value: "", label: "None" }] : []), ...known, ...foreign]}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
