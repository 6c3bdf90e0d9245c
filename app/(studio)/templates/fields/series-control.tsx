import { useState } from "react";
import { TextArea } from "../../../ui/form/text-field.tsx";
import { type ControlProps, type DeclarationOf, emptyPlaceholder } from "./control.ts";
import { readSeriesText, writeSeriesText } from "./series-text.ts";

const HELP = "A line for each point: label, number. With several series, names are in the first line: , Shop, Web";

/** Numbers as lines of text, which can be pasted from a table. */
export function SeriesControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"series">>) {
  const written = writeSeriesText(value);
  const [typed, setTyped] = useState(written);
  // What is typed stays as it is, while the value is what it means. Another value, as of a variant, replaces it.
  const text = writeSeriesText(readSeriesText(typed)) === written ? typed : written;
  return (
    <TextArea
      {...frame}
      help={frame.help ?? HELP}
      rows={6}
      value={text}
      dir="auto"
      placeholder={emptyPlaceholder(declaration)}
      aria-required={declaration.required}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(readSeriesText(target.value));
      }}
    />
  );
}
