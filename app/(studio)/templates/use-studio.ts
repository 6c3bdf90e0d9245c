"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type EditValue, effectiveEdits, requestData, type StudioTemplate } from "./edits.ts";
import { readAddress, writeAddress } from "./studio-address.ts";

/** How long edits have to pause before the address changes. Safari allows 100 changes in 30 seconds. */
const ADDRESS_PAUSE_MS = 350;

/**
 * Writes the state of the page to its address, without a navigation. After going back between anchors of the page, the
 * address of that history entry is updated too, so that no edit is undone.
 */
function useAddress(query: string): void {
  const path = usePathname();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      const { pathname, search, hash } = window.location;
      // During a navigation, the address is already that of another page.
      if (pathname === path && search !== query) window.history.replaceState(null, "", pathname + query + hash);
    };
    const follow = () => {
      clearTimeout(timer);
      timer = setTimeout(write, ADDRESS_PAUSE_MS);
    };
    // The state that Next keeps in the history entry. Entries of anchors lack it, and Next would reload the page
    // when the reader goes back to one, which would undo all edits. So it is added to them.
    let routerState: unknown = window.history.state;
    const onPopState = ({ state }: PopStateEvent) => {
      if (state === null) window.history.replaceState(routerState, "");
      else routerState = state;
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

/** The state of the studio: variant, edits, and the values derived from them. */
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
