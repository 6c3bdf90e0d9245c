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

/** How long the replay waits for forms that React does not take over, in milliseconds: longer than any form needs. */
const LONGEST_WAIT_MS = 5_000;

/** React marks each element of a page when it takes it over. */
const isHydrated = (element: Element) => Object.keys(element).some((key) => key.startsWith("__reactFiber$"));

/**
 * A part of a page may be hydrated after the effects of the layout have run. Until then, React would miss what is repeated
 * or entered there.
 */
function areFormsHydrated(): boolean {
  return Array.from(document.querySelectorAll("form[method=post]")).every(isHydrated);
}

/** Repeats what the reader did before the page was hydrated. */
export function EventReplay() {
  useEffect(() => {
    const startedAt = performance.now();
    let timer: ReturnType<typeof setTimeout>;
    const replayOnceHydrated = () => {
      if (areFormsHydrated() || performance.now() - startedAt > LONGEST_WAIT_MS) replay();
      else timer = setTimeout(replayOnceHydrated, 10);
    };
    // Runs after all effects of the page, including those of the router.
    timer = setTimeout(replayOnceHydrated);
    return () => clearTimeout(timer);
  }, []);
  return null;
}
