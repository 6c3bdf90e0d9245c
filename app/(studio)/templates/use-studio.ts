"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { readAddress, writeAddress } from "./address.ts";
import { type EditValue, effectiveEdits, requestData, type StudioTemplate } from "./edits.ts";

/** How long nothing changes before the address does, in milliseconds. Safari allows a hundred changes in thirty seconds. */
const ADDRESS_PAUSE_MS = 350;

/** What the page shows and how it is changed. The address follows, without a navigation. */
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
  useEffect(() => {
    const timer = setTimeout(() => {
      const { pathname, search, hash } = window.location;
      if (search !== address.query) window.history.replaceState(null, "", pathname + address.query + hash);
    }, ADDRESS_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [address.query]);
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
