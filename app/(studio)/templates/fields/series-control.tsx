import { useState } from "react";
import { TextArea } from "../../../ui/form/text-field.tsx";
import { type ControlProps, type DeclarationOf, emptyPlaceholder } from "./control.ts";
import { readSeriesText, writeSeriesText } from "./series-text.ts";

const HINT =
  "A line for each point: its label, a comma, its number. For several series, their names are the first line, after a comma.";

/** Numbers as lines of text, which can be pasted from a table. */
export function SeriesControl({ declaration, value, onChange, frame }: ControlProps<DeclarationOf<"series">>) {
  const written = writeSeriesText(value);
  const [typed, setTyped] = useState(written);
  // What is typed stays as it is, while the value is what it means. Another value, as of a variant, replaces it.
  const text = writeSeriesText(readSeriesText(typed)) === written ? typed : written;
  return (
    <TextArea
      {...frame}
      help={
        <>
          {frame.help} {HINT}
        </>
      }
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
