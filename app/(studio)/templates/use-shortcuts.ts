"use client";

import { useEffect, useEffectEvent } from "react";

/** What the keys do: Control or Command with Enter, and with Shift as well. No text field has a use for either. */
type Shortcuts = { onRender: () => void; onCopy: () => void };

/** Listens on the whole page, except while a dialog or menu has taken the key for itself. */
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
