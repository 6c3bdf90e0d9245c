import type { ReactNode } from "react";

type ScrollRegionProps = {
  /** What is in it, to screen readers. */
  label: string;
  /** Nothing in it is ever wider than its place. */
  fits?: boolean;
  className: string;
  children: ReactNode;
};

/** What may be wider than its place scrolls in itself, and is in reach of the keyboard for that. */
export function ScrollRegion({ label, fits = false, className, children }: ScrollRegionProps) {
  return (
    <section aria-label={label} tabIndex={fits ? undefined : 0} className={`overflow-x-auto ${className}`}>
      {children}
    </section>
  );
}
