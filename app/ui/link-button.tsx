import Link from "next/link";
import type { ComponentProps } from "react";
import { type ButtonSize, type ButtonTone, buttonLook } from "./button-look.ts";

type LinkButtonProps = ComponentProps<typeof Link> & { tone?: ButtonTone; size?: ButtonSize };

/** A link that looks like a button. */
export function LinkButton({ tone = "secondary", size = "medium", className, ...rest }: LinkButtonProps) {
  return <Link prefetch={false} {...rest} className={`${buttonLook({ tone, size })} ${className ?? ""}`} />;
}
