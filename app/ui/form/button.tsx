import type { ComponentProps } from "react";
import { PageLink } from "../page/page-link.tsx";

export type ButtonTone = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "small" | "medium";

const TONES: Record<ButtonTone, string> = {
  primary: "border-ink bg-ink text-paper hover:not-disabled:bg-ink/85",
  secondary: "border-edge bg-surface text-ink hover:not-disabled:border-ink",
  quiet: "border-transparent text-ink hover:not-disabled:bg-ink/8",
  danger: "border-danger-fill bg-danger-fill text-white hover:not-disabled:brightness-110",
};

const SIZES: Record<ButtonSize, string> = {
  small: "min-h-8 px-2.5 text-sm",
  medium: "min-h-10 px-4 text-[0.9375rem]",
};

/** The class names of a button, also for links that look like one. */
export function buttonLook({ tone, size }: { tone: ButtonTone; size: ButtonSize }): string {
  return `inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap max-sm:max-w-full max-sm:shrink-0 max-sm:whitespace-normal transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-55 ${TONES[tone]} ${SIZES[size]}`;
}

/** Shows activity; the text beside it says which. */
function Spinner() {
  return (
    <span className="inline-flex items-center">
      <svg
        viewBox="0 0 16 16"
        aria-hidden="true"
        className="size-4 animate-spin fill-none stroke-2 stroke-current motion-reduce:animate-none"
      >
        <circle cx="8" cy="8" r="6" className="opacity-25" />
        <path d="M14 8a6 6 0 0 0-6-6" strokeLinecap="round" />
      </svg>
    </span>
  );
}

type ButtonProps = ComponentProps<"button"> & {
  tone?: ButtonTone | undefined;
  size?: ButtonSize | undefined;
  /** Its action is running: it keeps the focus, and clicks do nothing. */
  isPending?: boolean | undefined;
};

/** A button. Its `type` is `button` by default. */
export function Button({ tone = "secondary", size = "medium", isPending, className, ...rest }: ButtonProps) {
  const { children, onClick, type = "button", ...props } = rest;
  return (
    <button
      {...props}
      // Prevents a second submission without losing the focus, as `disabled` would.
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

type LinkButtonProps = ComponentProps<typeof PageLink> & { tone?: ButtonTone; size?: ButtonSize };

/** A link that looks like a button. */
export function LinkButton({ tone = "secondary", size = "medium", className, ...rest }: LinkButtonProps) {
  return <PageLink {...rest} className={`${buttonLook({ tone, size })} ${className ?? ""}`} />;
}
