"use client";

import { useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef, useTransition } from "react";

/**
 * Reloads the data of the page, or changes it as a function says. When the focused element disappears with it, such as a button in a
 * removed row, `fallback` gets the focus; it needs `tabIndex={-1}`.
 */
export function useRefresh(fallback: RefObject<HTMLElement | null>): (change?: () => void) => void {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const isRefreshing = useRef(false);
  useEffect(() => {
    if (isPending || !isRefreshing.current) return;
    isRefreshing.current = false;
    if (document.activeElement === null || document.activeElement === document.body) fallback.current?.focus();
  }, [isPending, fallback]);
  return (change = () => router.refresh()) => {
    isRefreshing.current = true;
    startTransition(change);
  };
}
