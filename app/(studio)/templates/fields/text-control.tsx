import { TextArea } from "../../../ui/text-area.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { asText, type ControlProps, type DeclarationOf, emptyWords } from "./control.ts";
import { countCharacters } from "./count-characters.ts";

function Counter({ text, maxLength }: { text: string; maxLength: number }) {
  const count = countCharacters(text);
  return (
    <span className={count > maxLength ? "font-medium text-danger" : ""}>
      {count} / {maxLength}
      <span className="sr-only"> characters</span>
    </span>
  );
}

/** A field of text that is typed, whatever is drawn of it. */
export function TextControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"text" | "qr">>) {
  const { maxLength, required } = declaration;
  const text = asText(value);
  const props = {
    ...frame,
    value: text,
    dir: "auto",
    placeholder: emptyWords(declaration),
    "aria-required": required,
    autoComplete: "off",
    counter: (
      <>
        {frame.counter}
        <Counter text={text} maxLength={maxLength} />
      </>
    ),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return declaration.type === "qr" || declaration.multiline ? (
    <TextArea {...props} rows={2} />
  ) : (
    <TextField {...props} />
  );
}
