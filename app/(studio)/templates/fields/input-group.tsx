import { type ComponentProps, Fragment, type ReactNode, useId } from "react";
import type { FieldProps } from "../../../ui/form/field.tsx";
import { FieldGroup } from "../../../ui/form/field-group.tsx";
import { NumberInput } from "../../../ui/form/number-input.tsx";

export type GroupInput = Omit<ComponentProps<"input">, "className"> & {
  /** Shown above the input, such as `From`. */
  caption: string;
  /** Of the label around the input. */
  className?: string;
};

type InputGroupProps = {
  frame: FieldProps;
  inputs: GroupInput[];
  /** A sign or word between the first two inputs, for the eye only. */
  between?: string;
  children?: ReactNode;
};

/** Inputs that are one value together, side by side where there is room. */
export function InputGroup({ frame, inputs, between, children }: InputGroupProps) {
  const id = useId();
  return (
    <FieldGroup frame={frame}>
      {(aria) => (
        <div className="flex flex-wrap items-end gap-x-2 gap-y-1.5">
          {inputs.map(({ caption, className = "min-w-0 flex-1 basis-32", ...input }, index) => {
            const own = { id: `${id}${caption}`, className: "control" };
            const props = { autoComplete: "off", spellCheck: false, ...input, ...aria, ...own };
            return (
              <Fragment key={caption}>
                {index === 1 && between !== undefined && (
                  <span aria-hidden="true" className="pb-2 text-soft max-sm:hidden">
                    {between}
                  </span>
                )}
                <label htmlFor={own.id} className={`flex flex-col gap-1 ${className}`}>
                  <span className="text-soft text-xs">{caption}</span>
                  {input.type === "number" ? <NumberInput {...props} /> : <input {...props} />}
                </label>
              </Fragment>
            );
          })}
          {children}
        </div>
      )}
    </FieldGroup>
  );
}
