"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { BEFORE_SIGN_IN } from "../../ui/api/api.ts";
import { type EditValue, effectiveEdits, requestData, type StudioTemplate } from "./edits.ts";
import { useKeptState } from "./kept-state.ts";
import { readAddress, type StudioState, writeAddress } from "./studio-address.ts";

/** How long edits have to pause before the address changes. Safari allows 100 changes in 30 seconds. */
const ADDRESS_PAUSE_MS = 350;

/**
 * Writes the state of the page to its address, without a navigation. After going back between anchors of the page, the
 * address of that history entry is updated too, so that no edit is undone.
 */
function useAddress(path: string, query: string, written: RefObject<string>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      const { pathname, search, hash } = window.location;
      // During a navigation, the address is already that of another page.
      if (pathname !== path) return;
      if (search !== query) window.history.replaceState(null, "", pathname + query + hash);
      written.current = query;
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
    window.addEventListener(BEFORE_SIGN_IN, write);
    // Before a link is followed: a change of the address ends a navigation that waits for its page.
    window.addEventListener("click", write, true);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("click", write, true);
      window.removeEventListener(BEFORE_SIGN_IN, write);
      window.removeEventListener("popstate", onPopState);
    };
  }, [path, query, written]);
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
  const path = usePathname();
  const written = useRef(address.query);
  useAddress(path, address.query, written);
  const restore = useCallback(
    (kept: StudioState) =>
      setState(template.variants.includes(kept.variant) ? kept : (last) => ({ ...last, edits: kept.edits })),
    [template],
  );
  useKeptState({ path, state: { variant, edits }, address, written, restore });
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
