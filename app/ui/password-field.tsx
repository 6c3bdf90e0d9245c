"use client";

import { Field as Base } from "@base-ui/react/field";
import { type ComponentProps, useState } from "react";
import { Field, type FieldProps } from "./field.tsx";
import { Eye, EyeOff } from "./icons.tsx";
import { splitField } from "./split-field.ts";

type PasswordFieldProps = FieldProps &
  Omit<ComponentProps<"input">, keyof FieldProps | "type"> & {
    /** Which one, so that password managers fill it in or offer to keep it. */
    autoComplete: "current-password" | "new-password";
  };

/** A password, hidden unless its reader wants to see it. */
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
