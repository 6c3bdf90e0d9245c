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

export function TextControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"text">>) {
  const { maxLength, multiline, required } = declaration;
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
  return multiline ? <TextArea {...props} rows={2} /> : <TextField {...props} />;
}
