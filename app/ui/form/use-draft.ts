import { useEffect, useEffectEvent } from "react";
import { BEFORE_SIGN_IN } from "../api/api.ts";
import { forgetInTab, keepInTab, keyOfUser, readInTab } from "../page/tab-storage.ts";

/** What is typed in a form: the name of a field → its text. */
export type Draft = Record<string, string>;

/** Another version of the page may have kept something else. */
function toDraft(found: unknown): Draft {
  const texts = Object.entries(found ?? {}).filter(([, text]) => typeof text === "string");
  return Object.fromEntries(texts);
}

/**
 * Keeps what is typed in a form when the page is left because the session has ended. The same user gets it back, once, after signing
 * in again.
 * @param form tells the forms of a page apart
 * @param draft what to keep, never a password; without properties, nothing is kept
 */
export function useDraft(form: string, draft: Draft, restore: (draft: Draft) => void): void {
  const onArrival = useEffectEvent(() => {
    const key = keyOfUser(`${window.location.pathname} ${form}`);
    const kept = toDraft(readInTab(key));
    forgetInTab((name) => name === key);
    if (Object.keys(kept).length > 0) restore(kept);
    return key;
  });
  const onLeaving = useEffectEvent((key: string) => {
    if (Object.keys(draft).length > 0) keepInTab(key, draft);
  });
  useEffect(() => {
    const key = onArrival();
    // Not before the page is hidden: until the sign-in page is there, the reader can go on typing.
    const leave = () => onLeaving(key);
    const begin = () => window.addEventListener("pagehide", leave);
    window.addEventListener(BEFORE_SIGN_IN, begin);
    return () => {
      window.removeEventListener(BEFORE_SIGN_IN, begin);
      window.removeEventListener("pagehide", leave);
    };
  }, []);
}
