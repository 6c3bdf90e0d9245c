"use client";

import { useEffect, useState } from "react";
import { send } from "../ui/api/api.ts";
import type { Fault } from "./use-sources.ts";

const RENDER_PATH = "/api/service/images/render";

/** Counts the pictures that the page has received. */
function useReceivedPictures(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const observer = new PerformanceObserver((list) => {
      const received = list.getEntries().filter(({ name }) => new URL(name).pathname === RENDER_PATH);
      if (received.length > 0) setCount((before) => before + received.length);
    });
    observer.observe({ type: "resource", buffered: true });
    return () => observer.disconnect();
  }, []);
  return count;
}

/**
 * What has no effect in the files of a template. It is asked for after each picture, which it must not delay: the server draws
 * every variant for it. The last answer stays where there is no new one.
 * @param faults those that are shown: a template with faults has no picture to wait for
 */
export function useNotices(slug: string, faults: Fault[] = NONE): Fault[] {
  const [notices, setNotices] = useState<Fault[]>(NONE);
  const pictures = useReceivedPictures();
  const broken = faults.length > 0 ? faults : NONE;
  useEffect(() => {
    if (pictures === 0 && broken.length === 0) return;
    const leaving = new AbortController();
    send<Fault[]>("GET", `/api/workshop/notices/${slug}`, undefined, leaving).then(setNotices, () => undefined);
    return () => leaving.abort();
  }, [slug, pictures, broken]);
  return notices;
}

const NONE: Fault[] = [];
