import { type ComponentProps, type KeyboardEvent, useState } from "react";
import { readNumber } from "./number-text.ts";

const DIRECTIONS: Record<string, number> = { ArrowUp: 1, ArrowDown: -1 };

/** More decimals than a step has: 0.1 + 0.2 is 0.3. */
const STEP_DECIMALS = 10;

function stepped(number: number, step: number, { min, max }: { min: number; max: number }): number {
  return Math.min(Math.max(Number((number + step).toFixed(STEP_DECIMALS)), min), max);
}

/** The keys of a telephone. An iPhone has no minus among those of numbers. */
function keysFor(min: number, step: unknown): "text" | "numeric" | "decimal" {
  if (min < 0) return "text";
  return step === 1 ? "numeric" : "decimal";
}

/**
 * An input for a number, which {@link readNumber} reads. `<input type="number">` leaves out what it does not know: a price of 12,50 would
 * be 1250, and -5 with a proper minus 5. Base UI's field for numbers reads 12,50 as 1250 too, where the browser is in English.
 */
export function NumberInput({ value, min, max, step, onChange, ...props }: ComponentProps<"input">) {
  const [typed, setTyped] = useState("");
  // What is typed stays as it is while it means the value, such as 1.0 on the way to 1.05.
  const shown = String(readNumber(typed)) === String(value) ? typed : value;
  const number = readNumber(String(value ?? ""));
  const limits = { min: Number(min ?? Number.NEGATIVE_INFINITY), max: Number(max ?? Number.POSITIVE_INFINITY) };
  const stepOnArrow = (event: KeyboardEvent<HTMLInputElement>) => {
    const direction = DIRECTIONS[event.key];
    if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // An input method chooses between its proposals with arrows.
    if (event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (typeof number === "string" && number !== "") return;
    const by = direction * (Number.isFinite(Number(step)) ? Number(step) : 1);
    event.currentTarget.select();
    // As if it were typed, so that it can be undone.
    document.execCommand("insertText", false, String(stepped(Number(number), by, limits)));
  };
  return (
    <input
      inputMode={keysFor(limits.min, step)}
      {...props}
      type="text"
      role="spinbutton"
      aria-valuenow={typeof number === "number" ? number : undefined}
      aria-valuemin={Number.isFinite(limits.min) ? limits.min : undefined}
      aria-valuemax={Number.isFinite(limits.max) ? limits.max : undefined}
      value={shown}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange?.(event);
      }}
      onKeyDown={stepOnArrow}
    />
  );
}
