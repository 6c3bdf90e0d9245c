"use client";

import { Switch as Base } from "@base-ui/react/switch";
import { ToggleField, type ToggleProps } from "./toggle-field.tsx";

/** Something that is on or off at once. */
export function Switch({ checked, onCheckedChange, ...frame }: ToggleProps) {
  return (
    <ToggleField {...frame}>
      <Base.Root
        checked={checked}
        onCheckedChange={onCheckedChange}
        className="mt-0.5 flex h-5 w-9 flex-none rounded-full border border-edge bg-sunken p-0.5 transition-colors data-checked:border-ink data-checked:bg-ink"
      >
        <Base.Thumb className="aspect-square h-full rounded-full bg-edge transition-transform data-checked:translate-x-4 data-checked:bg-paper" />
      </Base.Root>
    </ToggleField>
  );
}
