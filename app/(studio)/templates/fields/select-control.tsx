import { useId } from "react";
import { Picture } from "../../../ui/content/picture.tsx";
import { FieldGroup } from "../../../ui/form/field-group.tsx";
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

type Choice = { value: string; label: string };

/** The options of a field, with "None" where it can be left out, and a value of a link that is no option. */
function choicesOf(declaration: SelectDeclaration, text: string): Choice[] {
  const { options, required, default: declaredDefault } = declaration;
  const isOmittable = !required && declaredDefault === undefined;
  const known = options.map((option) => ({ value: option, label: optionLabel(option, declaration) }));
  // The service reports a value that is no option.
  const unknown = text !== "" && !options.includes(text) ? [{ value: text, label: text }] : [];
  return [...(isOmittable || text === "" ? [{ value: "", label: "None" }] : []), ...known, ...unknown];
}

/** Radio buttons with pictures, and the words below. */
function PictureChoice({ declaration, value, onChange, frame }: ControlProps<SelectDeclaration>) {
  const { pictures } = declaration;
  const group = useId();
  const text = asText(value);
  return (
    <FieldGroup frame={frame}>
      {(aria) => (
        <div className="flex flex-wrap gap-2">
          {choicesOf(declaration, text).map((choice) => (
            <label
              key={choice.value}
              className="flex min-w-20 cursor-pointer flex-col items-center justify-end gap-1.5 rounded-md border border-edge bg-surface p-2 text-soft text-xs hover:bg-sunken has-checked:border-accent has-checked:font-medium has-checked:text-ink has-checked:ring-1 has-checked:ring-accent has-checked:forced-color-adjust-none forced-colors:has-checked:bg-[SelectedItem] forced-colors:has-checked:text-[SelectedItemText] has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2"
            >
              <input
                type="radio"
                name={group}
                value={choice.value}
                autoComplete="off"
                checked={text === choice.value}
                onChange={() => onChange(choice.value)}
                aria-describedby={aria["aria-describedby"]}
                className="sr-only"
              />
              {pictures?.[choice.value] !== undefined && (
                <Picture
                  src={pictures[choice.value] ?? ""}
                  alt=""
                  {...PICTURE_PX}
                  unoptimized
                  // Most are drawn in black, which a dark page would swallow.
                  className="h-12 w-16 rounded-sm bg-white object-contain p-1"
                />
              )}
              {choice.label}
            </label>
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

/** A list of options, or pictures of them where the template has those. */
export function SelectControl(props: ControlProps<SelectDeclaration>) {
  const { declaration, value, onChange, frame } = props;
  if (declaration.pictures) return <PictureChoice {...props} />;
  const text = asText(value);
  return (
    <Select
      {...frame}
      value={text}
      aria-required={declaration.required}
      options={choicesOf(declaration, text)}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
