"use client";

import { useSyncExternalStore } from "react";

/** Nothing of this changes while the page is open. */
const never = () => () => undefined;

/** What the key is called that goes with others to a command. The server takes the more common. */
export function useCommandKey(): "Ctrl" | "⌘" {
  return useSyncExternalStore(
    never,
    () => (/Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl"),
    () => "Ctrl",
  );
}

/** Whether the browser lets a page copy pictures, which it does not over plain http. */
export function useCopiesPictures(): boolean {
  return useSyncExternalStore(
    never,
    () => window.isSecureContext && "ClipboardItem" in window,
    () => true,
  );
}
