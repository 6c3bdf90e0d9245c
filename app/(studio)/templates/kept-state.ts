import { type RefObject, useEffect, useEffectEvent } from "react";
import { pageUser } from "../../ui/api/api.ts";
import { type Address, linkableAll, type StudioState } from "./studio-address.ts";

/** A state that the reader left, with the query of its page. */
type Kept = { query: string; state: StudioState };

/** The start of the keys of a user. In open mode, nobody has an id. */
const keysOf = (user = "") => `studio ${user} `;

/** Reads what the user of this page left. What another one left in the same tab is removed. */
function readKept(key: string): Kept | undefined {
  try {
    const ofOthers = (name: string) => name.startsWith("studio ") && !name.startsWith(keysOf(pageUser()));
    for (const name of Object.keys(sessionStorage).filter(ofOthers)) sessionStorage.removeItem(name);
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    // The browser stores nothing for this page.
    return undefined;
  }
}

/** Keeps what fits: browsers give a page 5 MB, which chosen images may exceed. */
function writeKept(key: string, kept: Kept): void {
  const { state } = kept;
  for (const edits of [state.edits, linkableAll(state.edits)]) {
    try {
      sessionStorage.setItem(key, JSON.stringify({ ...kept, state: { ...state, edits } }));
      return;
    } catch {
      sessionStorage.removeItem(key);
    }
  }
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
  const onArrival = useEffectEvent(() => {
    const key = keysOf(pageUser()) + path;
    written.current = window.location.search;
    const kept = readKept(key);
    if (kept?.query === written.current) restore(kept.state);
    return key;
  });
  const onLeaving = useEffectEvent((key: string) => {
    const isWritten = address.query === written.current && address.images.length === 0 && !address.isTooLong;
    if (isWritten) sessionStorage.removeItem(key);
    else writeKept(key, { query: written.current, state });
  });
  useEffect(() => {
    const key = onArrival();
    const leave = () => onLeaving(key);
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, []);
}
