"use client";

import { useEffect, useState } from "react";
import { exactTime, relativeTime } from "./relative-time.ts";

const TICK_MS = 30_000;

/** A relative time, with the exact time on hover and for screen readers; "never" for `null`. */
export function TimeAgo({ moment }: { moment: string | null }) {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (moment === null) return <span className="text-soft">never</span>;
  const exact = exactTime(new Date(moment));
  return (
    <time dateTime={moment} title={exact} className="whitespace-nowrap">
      {/* The server rendered it a moment earlier; the next tick corrects a difference. */}
      <span suppressHydrationWarning>{relativeTime(new Date(moment), now)}</span>
      <span className="sr-only"> ({exact})</span>
    </time>
  );
}
