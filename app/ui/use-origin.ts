"use client";

import { useSyncExternalStore } from "react";

/** Where the service is: as it is configured, else as the browser found it. */
export type KnownOrigin = {
  configured?: string | undefined;
  /** What stands there until the browser has spoken. */
  fallback: string;
};

/** It does not change while the page is open. */
const never = () => () => undefined;

/** What a command that the reader copies has to call, such as `https://cards.example.org`. */
export function useOrigin({ configured, fallback }: KnownOrigin): string {
  return useSyncExternalStore(
    never,
    () => configured ?? window.location.origin,
    () => configured ?? fallback,
  );
}
