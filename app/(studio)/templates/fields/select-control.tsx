import { useId } from "react";
import { Picture } from "../../../ui/content/picture.tsx";
import { Field } from "../../../ui/form/field.tsx";
import { Select } from "../../../ui/form/select.tsx";
import { asText, type ControlProps, type DeclarationOf } from "./control.ts";

type SelectDeclaration = DeclarationOf<"select">;

/** The sides of the picture of an option. */
const PICTURE_PX = { width: 64, height: 48 };

/** Options are words joined by hyphens, because templates may use them as class names. */
function optionLabel(option: string, { labels }: SelectDeclaration): string {
  const given = labels?.[option];
  if (given !== undefined) return typeof given === "string" ? given : (given.en ?? option);
  const words = option.replaceAll("-", " ");
  // Two letters are a code, such as a language.
  return option.length <= 2 ? option : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Radio buttons that are pictures, with the words below. */
function PictureChoice({ declaration, value, onChange, frame }: ControlProps<SelectDeclaration>) {
  const { label, options, pictures, required } = declaration;
  const group = useId();
  return (
    <Field {...frame}>
      <div role="radiogroup" aria-label={label} aria-required={required} className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option}
            className="flex cursor-pointer flex-col items-center gap-1 rounded-md border border-edge bg-surface p-1.5 text-xs has-checked:border-ring has-checked:ring-1 has-checked:ring-ring has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-ring has-[input:focus-visible]:outline-offset-2"
          >
            <input
              type="radio"
              name={group}
              value={option}
              checked={asText(value) === option}
              onChange={() => onChange(option)}
              className="sr-only"
            />
            <Picture
              src={pictures?.[option] ?? ""}
              alt=""
              {...PICTURE_PX}
              unoptimized
              className="h-12 w-16 object-contain"
            />
            {optionLabel(option, declaration)}
          </label>
        ))}
      </div>
    </Field>
  );
}

/** A list of options, or pictures of them where the template has those. */
export function SelectControl(props: ControlProps<SelectDeclaration>) {
  const { declaration, value, onChange, frame } = props;
  const { options, required, default: declaredDefault } = declaration;
  if (declaration.pictures) return <PictureChoice {...props} />;
  const isOmittable = !required && declaredDefault === undefined;
  const known = options.map((option) => ({ value: option, label: optionLabel(option, declaration) }));
  const text = asText(value);
  // A link may have a value that is no option. The service reports it.
  const unknown = text !== "" && !options.includes(text) ? [{ value: text, label: text }] : [];
  return (
    <Select
      {...frame}
      value={text}
      aria-required={required}
      options={[...(isOmittable || text === "" ? [{ value: "", label: "None" }] : []), ...known, ...unknown]}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
