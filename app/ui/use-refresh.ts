"use client";

import { useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef, useTransition } from "react";

/**
 * Asks the server for the page anew, and gives the focus to `fallback` where what had it is gone afterwards, as the button in
 * a row that was removed is. `fallback` takes focus by `tabIndex={-1}`.
 */
export function useRefresh(fallback: RefObject<HTMLElement | null>): () => void {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const isAwaited = useRef(false);
  useEffect(() => {
    if (isPending || !isAwaited.current) return;
    isAwaited.current = false;
    if (document.activeElement === null || document.activeElement === document.body) fallback.current?.focus();
  }, [isPending, fallback]);
  return () => {
    isAwaited.current = true;
    startTransition(() => router.refresh());
  };
}
