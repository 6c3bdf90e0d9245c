import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { forgetInTab, keepInTab, keyOfUser, readInTab } from "../../ui/page/tab-storage.ts";
import { type Address, linkableAll, type StudioState } from "./studio-address.ts";

/** A state that the reader left, with the queries of the addresses at which it is given back. */
type Kept = { queries: string[]; state: StudioState };

/** Another version of the page may have kept something else. */
function isKept(found: Partial<Kept> | null): found is Kept {
  const { variant, edits } = found?.state ?? {};
  return Array.isArray(found?.queries) && typeof variant === "string" && typeof edits === "object" && edits !== null;
}

function readKept(key: string): Kept | undefined {
  const found = readInTab(key) as Partial<Kept> | null;
  return isKept(found) ? found : undefined;
}

/** Keeps what fits: chosen images may be larger than what a browser keeps. */
function writeKept(key: string, kept: Kept): void {
  const { state } = kept;
  const isStored = [state.edits, linkableAll(state.edits)].some((edits) =>
    keepInTab(key, { ...kept, state: { ...state, edits } }),
  );
  if (!isStored) forgetInTab((name) => name === key);
}

type KeptStateInit = {
  path: string;
  state: StudioState;
  address: Address;
  /** The query that the address has, which follows the edits after a pause. */
  written: RefObject<string>;
  restore: (state: StudioState) => void;
};

/**
 * Keeps what the address does not hold when the reader leaves: the words that were typed last, image files, and values that are too
 * long for a link. The same user gets them back at the same address, such as after a reload, or after signing in again.
 */
export function useKeptState({ path, state, address, written, restore }: KeptStateInit): void {
  /** The query when the reader began to leave. A reload opens that one, also where the address changes before the new page is there. */
  const begun = useRef<string>(null);
  const onArrival = useEffectEvent(() => {
    const key = keyOfUser(path);
    written.current = window.location.search;
    const kept = readKept(key);
    if (kept?.queries.includes(written.current)) restore(kept.state);
    return key;
  });
  const onLeaving = useEffectEvent((key: string) => {
    const queries = [written.current, begun.current ?? written.current];
    const isWritten =
      queries.every((query) => query === address.query) && address.images.length === 0 && !address.isTooLong;
    if (isWritten) forgetInTab((name) => name === key);
    else writeKept(key, { queries, state });
  });
  useEffect(() => {
    const key = onArrival();
    const leave = () => onLeaving(key);
    const begin = () => {
      begun.current = window.location.search;
    };
    window.addEventListener("beforeunload", begin);
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("beforeunload", begin);
      window.removeEventListener("pagehide", leave);
      // The page is left by a link, so a reload that had begun was stopped.
      begun.current = null;
      leave();
    };
  }, []);
}
