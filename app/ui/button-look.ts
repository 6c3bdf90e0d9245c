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

/** The class names of what looks like a button, whether it acts or leads somewhere. */
export function buttonLook({ tone, size }: { tone: ButtonTone; size: ButtonSize }): string {
  return `inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-55 ${TONES[tone]} ${SIZES[size]}`;
}
