"use client";

import { useCallback, useEffect, useState } from "react";

const TICK_MS = 250;

/** Whole seconds until a moment; 0 when it has passed. */
function secondsUntil(endsAt: number): number {
  return Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
}

/** A countdown. @returns the seconds left, and a function that starts it */
export function useCountdown(): [secondsLeft: number, begin: (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(0);
  const [secondsLeft, setSecondsLeft] = useState(0);
  useEffect(() => {
    if (secondsUntil(endsAt) === 0) return;
    // Reads the clock, because timers of a page in the background run rarely.
    const timer = setInterval(() => {
      const left = secondsUntil(endsAt);
      setSecondsLeft(left);
      if (left === 0) clearInterval(timer);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [endsAt]);
  const begin = useCallback((seconds: number) => {
    setEndsAt(Date.now() + seconds * 1000);
    setSecondsLeft(seconds);
  }, []);
  return [secondsLeft, begin];
}

/** `1:05` for 65 seconds. */
export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** `1 minute and 5 seconds` for 65 seconds. */
export function spokenTime(seconds: number): string {
  const parts = [
    { count: Math.floor(seconds / 60), unit: "minute" },
    { count: seconds % 60, unit: "second" },
  ].filter(({ count }) => count > 0);
  return parts.map(({ count, unit }) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" and ");
}
