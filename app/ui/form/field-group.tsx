"use client";

import { type ReactNode, type Ref, useId } from "react";
import type { FieldProps } from "./field.tsx";

/** What connects a control of the group with the notes of the group. */
type GroupAria = { "aria-describedby": string; "aria-invalid": boolean | undefined };

type FieldGroupProps = {
  frame: FieldProps;
  groupRef?: Ref<HTMLFieldSetElement>;
  children: (aria: GroupAria) => ReactNode;
};

/**
 * Several controls that are one field. It is a group for screen readers, with the label, help, warning, error and counter of
 * a `Field`; the controls inside have labels of their own.
 */
export function FieldGroup({ frame, groupRef, children }: FieldGroupProps) {
  const { label, help, error, warning, counter, className } = frame;
  const id = useId();
  const notes = `${id}-notes`;
  return (
    <fieldset
      ref={groupRef}
      aria-labelledby={`${id}-label`}
      aria-describedby={notes}
      className={`flex min-w-0 flex-col gap-1.5 ${className ?? ""}`}
    >
      <div className="flex items-baseline justify-between gap-3">
        <span id={`${id}-label`} className="font-medium text-sm">
          {label}
        </span>
        {counter !== undefined && <span className="text-soft text-xs tabular-nums">{counter}</span>}
      </div>
      {children({ "aria-describedby": notes, "aria-invalid": error === undefined ? undefined : true })}
      <div id={notes} className="flex flex-col gap-1 text-sm empty:hidden">
        {help !== undefined && <p className="text-soft">{help}</p>}
        {warning !== undefined && <p className="text-warn">{warning}</p>}
        {error !== undefined && <p className="text-danger">{error}</p>}
      </div>
    </fieldset>
  );
}
