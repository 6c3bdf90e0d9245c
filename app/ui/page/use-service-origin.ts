"use client";

import { useSyncExternalStore } from "react";

/** The origin of the service, as far as the server knows it. */
export type ServiceOrigin = {
  configured?: string | undefined;
  /** Shown until the page is hydrated. */
  fallback: string;
};

const subscribeToNothing = () => () => undefined;

/** The origin for commands that the reader copies, such as `https://cards.example.org`. */
export function useServiceOrigin({ configured, fallback }: ServiceOrigin): string {
  return useSyncExternalStore(
    subscribeToNothing,
    () => configured ?? window.location.origin,
    () => configured ?? fallback,
  );
}
