import { pageUser } from "../api/api.ts";

/**
 * What the browser keeps for a page of this tab. Every call can fail: a reader may forbid a page to store anything, with which the mere
 * mention of `sessionStorage` is an error, and browsers give a page 5 MB.
 */
export function readInTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @returns whether the browser keeps the value */
export function keepInTab(key: string, value: unknown): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @param isMeant whether what is kept by this key is forgotten */
export function forgetInTab(isMeant: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(sessionStorage).filter(isMeant)) sessionStorage.removeItem(key);
  } catch {
    // Nothing is kept.
  }
}

/**
 * The key of what the user of this page has typed. What another user has typed in the same tab is forgotten. In open mode, nobody
 * has an id.
 */
export function keyOfUser(name: string): string {
  const own = `typed ${pageUser() ?? ""} `;
  forgetInTab((key) => key.startsWith("typed ") && !key.startsWith(own));
  return own + name;
}
