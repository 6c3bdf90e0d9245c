import type { SimpleDeclaration } from "#lib/templates/fields/field-types.ts";
import { isDefaultWord } from "#lib/templates/filters/translation.ts";
import { Switch } from "../../../ui/form/switch.tsx";
import { TextArea, TextField } from "../../../ui/form/text-field.tsx";
import { BarcodeControl } from "./barcode-control.tsx";
import { CodeControl } from "./code-control.tsx";
import { ColorControl } from "./color-control.tsx";
import { asText, type Control, type ControlProps, type DeclarationOf, emptyPlaceholder } from "./control.ts";
import { DateControl } from "./date-control.tsx";
import { ImageControl } from "./image/image-control.tsx";
import { LanguageControl } from "./language-control.tsx";
import { MoneyControl } from "./money-control.tsx";
import { NumberControl, ProgressControl, RatingControl } from "./number-control.tsx";
import { RangeControl } from "./range-control.tsx";
import { SelectControl } from "./select-control.tsx";
import { SeriesControl } from "./series-control.tsx";

/** Counts characters as the service does: code points after composition (NFC). */
function countCharacters(text: string): number {
  return Array.from(text.normalize("NFC")).length;
}

function BooleanControl({ value, onChange, frame }: ControlProps<DeclarationOf<"boolean">>) {
  const { label, help, error, counter } = frame;
  return (
    <div className="flex items-start justify-between gap-3 py-1.5">
      <Switch label={label} help={help} error={error} checked={value === true} onCheckedChange={onChange} />
      <span className="text-xs">{counter}</span>
    </div>
  );
}

function Counter({ text, maxLength }: { text: string; maxLength: number }) {
  const count = countCharacters(text);
  return (
    <span className={count > maxLength ? "font-medium text-danger" : ""}>
      {count} / {maxLength}
      <span className="sr-only"> characters</span>
    </span>
  );
}

/** The longest text that an input of one line shows well, in characters. */
const LONG_TEXT_CHARS = 160;

const EMPHASIS_HINT = "**bold**, *italic* and ==marked== words.";

function TextControl({
  declaration,
  value,
  base,
  onChange,
  frame,
}: ControlProps<DeclarationOf<"text" | "emphasis" | "qr">>) {
  const { maxLength, required } = declaration;
  const text = asText(value);
  const hasLines = declaration.type === "qr" || declaration.multiline;
  const props = {
    ...frame,
    help: frame.help ?? (declaration.type === "emphasis" ? EMPHASIS_HINT : undefined),
    value: text,
    dir: "auto",
    // The button that resets an edit is in the counter.
    placeholder:
      declaration.type === "text" && isDefaultWord(declaration, base.value) && !frame.counter
        ? `${asText(base.value)}, in the language of the picture`
        : emptyPlaceholder(declaration),
    "aria-required": required,
    autoComplete: "off",
    counter: (
      <>
        {frame.counter}
        <Counter text={text} maxLength={maxLength} />
      </>
    ),
    // A long text wraps in its control. Unless it may have lines, a break is a space.
    onChange: (event: { target: { value: string } }) =>
      onChange(hasLines ? event.target.value : event.target.value.replaceAll("\n", " ")),
  };
  return hasLines || maxLength > LONG_TEXT_CHARS ? <TextArea {...props} rows={2} /> : <TextField {...props} />;
}

/** The control of every type of field with one value. The compiler asks for a line here when a type is added. */
export const CONTROLS: { [T in SimpleDeclaration["type"]]: Control<T> } = {
  text: TextControl,
  emphasis: TextControl,
  number: NumberControl,
  money: MoneyControl,
  range: RangeControl,
  rating: RatingControl,
  progress: ProgressControl,
  boolean: BooleanControl,
  select: SelectControl,
  color: ColorControl,
  image: ImageControl,
  date: DateControl,
  qr: TextControl,
  barcode: BarcodeControl,
  code: CodeControl,
  series: SeriesControl,
  language: LanguageControl,
};

/** The longest text that fits half a row, in characters. */
const SHORT_TEXT_CHARS = 24;

/** Whether the field takes half a row. */
export function isShort(declaration: SimpleDeclaration): boolean {
  if (["emphasis", "image", "qr", "barcode", "code", "series", "range", "progress"].includes(declaration.type))
    return false;
  if (declaration.type === "select" && declaration.pictures) return false;
  if (declaration.type === "date" && declaration.zone !== undefined) return false;
  return declaration.type !== "text" || (declaration.maxLength <= SHORT_TEXT_CHARS && !declaration.multiline);
}
