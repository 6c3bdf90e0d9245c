"use client";

import { Field as Base } from "@base-ui/react/field";
import type { ReactNode } from "react";

export type ToggleProps = {
  label: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean | undefined;
  name?: string | undefined;
};

type ToggleFieldProps = Pick<ToggleProps, "label" | "help" | "error" | "disabled" | "name"> & { children: ReactNode };

/** The frame of a control that is on or off: the label stands beside it. */
export function ToggleField({ label, help, error, disabled, name, children }: ToggleFieldProps) {
  return (
    <Base.Root invalid={error !== undefined} disabled={disabled} name={name} className="flex flex-col gap-1">
      <Base.Label className="flex items-start gap-2.5 text-[0.9375rem] data-disabled:opacity-60">
        {children}
        <span>{label}</span>
      </Base.Label>
      {help !== undefined && <Base.Description className="text-soft text-sm">{help}</Base.Description>}
      {error !== undefined && (
        <Base.Error match className="text-danger text-sm">
          {error}
        </Base.Error>
      )}
    </Base.Root>
  );
}
