"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type EditValue, effectiveEdits, requestData, type StudioTemplate } from "./edits.ts";
import { readAddress, writeAddress } from "./studio-address.ts";

/** How long nothing changes before the address does, in milliseconds. Safari allows a hundred changes in thirty seconds. */
const ADDRESS_PAUSE_MS = 350;

/**
 * Keeps the address to what the page shows, without a navigation. Going back from a place in the page to another takes no edit
 * back: the address that was left there follows too.
 */
function useAddress(query: string): void {
  const path = usePathname();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      const { pathname, search, hash } = window.location;
      // On the way to another page the address is that page's.
      if (pathname === path && search !== query) window.history.replaceState(null, "", pathname + query + hash);
    };
    const follow = () => {
      clearTimeout(timer);
      timer = setTimeout(write, ADDRESS_PAUSE_MS);
    };
    // What Next has written on this entry of the history. A place in the page is an entry of the browser's own, without it, and on the
    // way back to one like that Next loads the page anew, which would take back every edit since.
    let marks: unknown = window.history.state;
    const onPopState = ({ state }: PopStateEvent) => {
      if (state === null) window.history.replaceState(marks, "");
      else marks = state;
      follow();
    };
    follow();
    window.addEventListener("popstate", onPopState);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("popstate", onPopState);
    };
  }, [path, query]);
}

/** What the page shows and how it is changed. */
export function useStudio(template: StudioTemplate) {
  const query = useSearchParams();
  const [state, setState] = useState(() => readAddress(template, query));
  const { variant } = state;
  const edits = useMemo(() => effectiveEdits(template, variant, state.edits), [template, variant, state.edits]);
  const address = useMemo(() => writeAddress(template, { variant, edits }), [template, variant, edits]);
  const call = useMemo(
    () => ({ template: template.slug, variant, data: requestData(edits) }),
    [template.slug, variant, edits],
  );
  useAddress(address.query);
  const setVariant = useCallback((next: string) => setState((last) => ({ ...last, variant: next })), []);
  const setEdit = useCallback(
    (name: string, value: EditValue) => setState((last) => ({ ...last, edits: { ...last.edits, [name]: value } })),
    [],
  );
  const resetField = useCallback((name: string) => {
    setState((last) => {
      const { [name]: _, ...others } = last.edits;
      return { ...last, edits: others };
    });
  }, []);
  const resetAll = useCallback(() => setState((last) => ({ ...last, edits: {} })), []);
  return { variant, edits, address, call, setVariant, setEdit, resetField, resetAll };
}
