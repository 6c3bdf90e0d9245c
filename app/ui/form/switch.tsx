"use client";

import { type ReactNode, useId } from "react";

type SwitchProps = {
  label: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
};

/** A checkbox that looks like a switch. It is a native one, which works before hydration. */
export function Switch({ label, help, error, checked, onCheckedChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label className="flex items-start gap-2.5 text-[0.9375rem]">
        <input
          type="checkbox"
          autoComplete="off"
          checked={checked}
          onChange={({ target }) => onCheckedChange(target.checked)}
          aria-invalid={error !== undefined}
          aria-describedby={help !== undefined || error !== undefined ? id : undefined}
          className="mt-0.5 h-5 w-9 flex-none cursor-pointer appearance-none rounded-full border border-edge bg-sunken p-0.5 transition-colors before:block before:aspect-square before:h-full before:rounded-full before:bg-edge before:transition-transform checked:border-ink checked:bg-ink checked:before:translate-x-4 checked:before:bg-paper forced-colors:before:bg-[ButtonText] forced-colors:checked:bg-[SelectedItem] forced-colors:checked:before:bg-[SelectedItemText]"
        />
        <span>{label}</span>
      </label>
      <div id={id} className="contents">
        {help !== undefined && <p className="text-soft text-sm">{help}</p>}
        {error !== undefined && <p className="text-danger text-sm">{error}</p>}
      </div>
    </div>
  );
}
