"use client";

import { useEffect, useState } from "react";
import { exactTime, relativeTime } from "./relative-time.ts";

const TICK_MS = 30_000;

/** How long ago something was, with the exact moment on hover and for screen readers. Says "never" for `null`. */
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
      {/* The server wrote it a moment earlier: what differs is mended with the next tick. */}
      <span suppressHydrationWarning>{relativeTime(new Date(moment), now)}</span>
      <span className="sr-only"> ({exact})</span>
    </time>
  );
}
