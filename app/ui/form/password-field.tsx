"use client";

import { Field as Base } from "@base-ui/react/field";
import { type ComponentProps, useState } from "react";
import { Eye, EyeOff } from "../content/icons.tsx";
import { Field, type FieldProps, splitField } from "./field.tsx";

type PasswordFieldProps = FieldProps &
  Omit<ComponentProps<"input">, keyof FieldProps | "type"> & {
    /** Tells password managers whether to fill it in or to save it. */
    autoComplete: "current-password" | "new-password";
  };

/** A password input with a button that shows the password. */
export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const { frame, control } = splitField(props);
  return (
    <Field {...frame}>
      <div className="relative">
        <Base.Control
          render={
            <input
              {...control}
              type={isShown ? "text" : "password"}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              className="control pr-11"
            />
          }
        />
        <button
          type="button"
          aria-pressed={isShown}
          aria-label="Show the password"
          title={isShown ? "Hide the password" : "Show the password"}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-1 right-1 grid w-9 place-items-center rounded-md text-soft hover:text-ink"
        >
          {isShown ? <EyeOff /> : <Eye />}
        </button>
      </div>
    </Field>
  );
}
