"use client";

import { useCommandKey } from "./use-platform.ts";

/** The keys of a shortcut, beside what they do. The control itself says them to screen readers. */
export function Keys({ withShift = false }: { withShift?: boolean }) {
  const command = useCommandKey();
  const keys = [command, ...(withShift ? [command === "⌘" ? "⇧" : "Shift"] : []), "Enter"];
  return (
    <span aria-hidden="true" className="hidden gap-1 whitespace-nowrap sm:inline-flex pointer-coarse:hidden">
      {keys.map((key) => (
        <kbd key={key} className="rounded-sm border border-line bg-surface px-1 font-mono text-[0.6875rem] text-soft">
          {key}
        </kbd>
      ))}
    </span>
  );
}
