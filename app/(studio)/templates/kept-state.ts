import { type RefObject, useEffect, useEffectEvent } from "react";
import { pageUser } from "../../ui/api/api.ts";
import { forgetInTab, keepInTab, readInTab } from "../../ui/page/tab-storage.ts";
import { type Address, linkableAll, type StudioState } from "./studio-address.ts";

/** A state that the reader left, with the user and the query of its page. */
type Kept = { user: string | undefined; query: string; state: StudioState };

/** Keeps what fits: chosen images may be larger than what a browser keeps. */
function writeKept(key: string, kept: Kept): void {
  const { state } = kept;
  const isKept = [state.edits, linkableAll(state.edits)].some((edits) =>
    keepInTab(key, { ...kept, state: { ...state, edits } }),
  );
  if (!isKept) forgetInTab(key);
}

/** Another version of the page may have kept something else. */
function isState(kept: Partial<StudioState> | undefined): kept is StudioState {
  return typeof kept?.variant === "string" && typeof kept.edits === "object" && kept.edits !== null;
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
  const key = `studio ${path}`;
  const onArrival = useEffectEvent(() => {
    written.current = window.location.search;
    const kept = readInTab(key) as Partial<Kept> | null;
    if (kept?.query === written.current && kept.user === pageUser() && isState(kept.state)) restore(kept.state);
  });
  const onLeaving = useEffectEvent(() => {
    const isWritten = address.query === written.current && address.images.length === 0 && !address.isTooLong;
    if (isWritten) forgetInTab(key);
    else writeKept(key, { user: pageUser(), query: written.current, state });
  });
  useEffect(() => {
    onArrival();
    const leave = () => onLeaving();
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
}
