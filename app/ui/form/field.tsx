"use client";

import { Field as Base } from "@base-ui/react/field";
import type { ReactNode } from "react";

export type FieldProps = {
  label: ReactNode;
  /** A sentence below the label. */
  help?: ReactNode;
  /** Marks the control as invalid, and describes it. */
  error?: string | undefined;
  /** Describes the control, without marking it as invalid. */
  warning?: string | undefined;
  /** Such as `12 / 80`, at the end of the line of the label. */
  counter?: ReactNode;
  /** Hides the label from all but screen readers. */
  hidesLabel?: boolean | undefined;
  disabled?: boolean | undefined;
  name?: string | undefined;
  className?: string | undefined;
};

type FrameProps = FieldProps & { children: ReactNode };

function FieldError({ error }: { error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <Base.Error match className="text-danger text-sm">
      {error}
    </Base.Error>
  );
}

/**
 * The label, help, warning, error and counter of a control, connected with it for screen readers. The child has to be a
 * `Field.Control` of Base UI; its `render` takes any element.
 */
export function Field({ children, ...props }: FrameProps) {
  const { label, help, error, warning, counter, hidesLabel, disabled, name, className } = props;
  return (
    <Base.Root
      invalid={error !== undefined}
      disabled={disabled}
      name={name}
      className={`flex min-w-0 flex-col gap-1.5 ${className ?? ""}`}
    >
      <div className={hidesLabel ? "sr-only" : "flex items-baseline justify-between gap-3"}>
        <Base.Label className="font-medium text-sm">{label}</Base.Label>
        {counter !== undefined && <span className="text-soft text-xs tabular-nums">{counter}</span>}
      </div>
      {children}
      {help !== undefined && <Base.Description className="text-soft text-sm">{help}</Base.Description>}
      {warning !== undefined && <Base.Description className="text-sm text-warn">{warning}</Base.Description>}
      <FieldError error={error} />
    </Base.Root>
  );
}

/** Splits the props of a field into those of its frame and those of its control. */
export function splitField<P extends FieldProps>(props: P): { frame: FieldProps; control: Omit<P, keyof FieldProps> } {
  const { label, help, error, warning, counter, hidesLabel, disabled, name, className, ...control } = props;
  return {
    frame: { label, help, error, warning, counter, hidesLabel, disabled, name, className },
    control,
  };
}
