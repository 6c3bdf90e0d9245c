"use client";

import { useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef, useTransition } from "react";

/**
 * Reloads the data of the page. When the focused element disappears with it, such as a button in a removed row,
 * `fallback` gets the focus; it needs `tabIndex={-1}`.
 */
export function useRefresh(fallback: RefObject<HTMLElement | null>): () => void {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const isRefreshing = useRef(false);
  useEffect(() => {
    if (isPending || !isRefreshing.current) return;
    isRefreshing.current = false;
    if (document.activeElement === null || document.activeElement === document.body) fallback.current?.focus();
  }, [isPending, fallback]);
  return () => {
    isRefreshing.current = true;
    startTransition(() => router.refresh());
  };
}
