"use client";

import { useEffect } from "react";
import { flushSync } from "react-dom";
import { repeatEvent } from "./early-events.ts";

function replay(): void {
  const early = window.earlyEvents;
  if (!early) return;
  early.stop();
  delete window.earlyEvents;
  // Rendered one by one: a handler may read the state that the previous event has set.
  for (const event of early.events) flushSync(() => repeatEvent(event));
}

/** Repeats what the reader did before the page was hydrated. */
export function EventReplay() {
  useEffect(() => {
    // Runs after all effects of the page, including those of the router.
    const timer = setTimeout(replay);
    return () => clearTimeout(timer);
  }, []);
  return null;
}
