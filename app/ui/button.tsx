import type { ComponentProps } from "react";
import { type ButtonSize, type ButtonTone, buttonLook } from "./button-look.ts";
import { Spinner } from "./spinner.tsx";

type ButtonProps = ComponentProps<"button"> & {
  tone?: ButtonTone | undefined;
  size?: ButtonSize | undefined;
  /** What it started is under way: it stays in reach of the keyboard, and a press does nothing. */
  isPending?: boolean | undefined;
};

/** A button. Its `type` is `button` unless told otherwise. */
export function Button({ tone = "secondary", size = "medium", isPending, className, ...rest }: ButtonProps) {
  const { children, onClick, type = "button", ...props } = rest;
  return (
    <button
      {...props}
      // A form is not sent twice, and focus is not lost as it would be by `disabled`.
      type={isPending ? "button" : type}
      aria-disabled={isPending || props["aria-disabled"]}
      aria-busy={isPending || undefined}
      onClick={isPending ? undefined : onClick}
      className={`${buttonLook({ tone, size })} ${className ?? ""}`}
    >
      {isPending && <Spinner />}
      {children}
    </button>
  );
}
