"use client";

import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check } from "./icons.tsx";
import { ToggleField, type ToggleProps } from "./toggle-field.tsx";

/** Something that is so or not, and takes effect when the form is sent. */
export function Checkbox({ checked, onCheckedChange, ...frame }: ToggleProps) {
  return (
    <ToggleField {...frame}>
      <Base.Root
        checked={checked}
        onCheckedChange={onCheckedChange}
        className="mt-0.5 grid size-5 flex-none place-items-center rounded-sm border border-edge bg-surface data-checked:border-ink data-checked:bg-ink data-checked:text-paper"
      >
        <Base.Indicator>
          <Check />
        </Base.Indicator>
      </Base.Root>
    </ToggleField>
  );
}
