"use client";

import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

const subscribeToNothing = () => () => undefined;

/** The label of the modifier key. The server renders the more common one. */
function useCommandKey(): "Ctrl" | "⌘" {
  return useSyncExternalStore(
    subscribeToNothing,
    () => (/Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl"),
    () => "Ctrl",
  );
}

/** Whether the browser can copy pictures, which needs a secure context. */
export function useCopiesPictures(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => window.isSecureContext && "ClipboardItem" in window,
    () => true,
  );
}

/** The keys of a shortcut. Screen readers get them from `aria-keyshortcuts` of the control. */
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

/** `onRender`: Control or Command with Enter. `onCopy`: with Shift too. */
type Shortcuts = { onRender: () => void; onCopy: () => void };

/** Listens on the whole page, unless a dialog or menu has handled the key. */
export function useShortcuts({ onRender, onCopy }: Shortcuts): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    event.preventDefault();
    if (event.shiftKey) onCopy();
    else onRender();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
