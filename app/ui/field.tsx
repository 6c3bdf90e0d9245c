"use client";

import { Field as Base } from "@base-ui/react/field";
import type { ReactNode } from "react";

export type FieldProps = {
  label: ReactNode;
  /** A sentence below the label. */
  help?: ReactNode;
  /** What is wrong. The control is then marked invalid and described by it. */
  error?: string | undefined;
  /** What to know about the value, which is taken all the same. The control is described by it. */
  warning?: string | undefined;
  /** Such as `12 / 80`, at the end of the label's line. */
  counter?: ReactNode;
  /** Says "optional" beside the label. */
  isOptional?: boolean | undefined;
  /** The label is there for screen readers alone. */
  hidesLabel?: boolean | undefined;
  disabled?: boolean | undefined;
  name?: string | undefined;
  className?: string | undefined;
};

type FrameProps = FieldProps & {
  children: ReactNode;
  /** The id of all that is said about the value, for what describes another element than the control by it. */
  messagesId?: string;
};

/** What is wrong, where a control has a message. */
function FieldError({ error }: { error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <Base.Error match className="text-danger text-sm">
      {error}
    </Base.Error>
  );
}

/**
 * The frame of one control: its label, help, error and counter, tied together for screen readers. The control inside is a
 * `Field.Control` of Base UI (`render` makes it any element) or one of its inputs.
 */
export function Field({ children, messagesId, ...props }: FrameProps) {
  const { label, help, error, warning, counter, isOptional, hidesLabel, disabled, name, className } = props;
  return (
    <Base.Root
      invalid={error !== undefined}
      disabled={disabled}
      name={name}
      className={`flex min-w-0 flex-col gap-1.5 ${className ?? ""}`}
    >
      <div className={hidesLabel ? "sr-only" : "flex items-baseline justify-between gap-3"}>
        <Base.Label className="font-medium text-sm">
          {label}
          {isOptional && <span className="font-normal text-soft"> optional</span>}
        </Base.Label>
        {counter !== undefined && <span className="text-soft text-xs tabular-nums">{counter}</span>}
      </div>
      {children}
      <div id={messagesId} className="contents">
        {help !== undefined && <Base.Description className="text-soft text-sm">{help}</Base.Description>}
        {warning !== undefined && <Base.Description className="text-sm text-warn">{warning}</Base.Description>}
        <FieldError error={error} />
      </div>
    </Base.Root>
  );
}
