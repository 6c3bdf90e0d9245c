"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { StatusReport } from "#lib/schemas/status-report.ts";
import { send } from "../../ui/api.ts";
import { type ApiFailure, toFailure } from "../../ui/api-failure.ts";
import { useSubmit } from "../../ui/use-submit.ts";

/** What the board shows; the scripts do not change while a server runs. */
export type Report = Omit<StatusReport, "scripts" | "checkedAt"> & { checkedAt: string };

/** Often enough to watch a problem go away, in milliseconds. Each look draws a test picture when the last one is old. */
const EVERY_MS = 10_000;

/** Whether the reader pays for every byte, as far as the browser says so. */
function isDataScarce(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true || window.matchMedia("(prefers-reduced-data: reduce)").matches;
}

export type Watch = {
  report: Report;
  refresh: () => Promise<void>;
  isRefreshing: boolean;
  /** Of the last look, whoever asked for it. */
  failure: ApiFailure | undefined;
  /** Whether it looks again by itself while the page is seen. */
  isWatching: boolean;
  setWatching: (isWatching: boolean) => void;
};

/** Looks, one at a time: who asks while a look is under way is told with it. */
function useLook(initial: Report) {
  const [report, setReport] = useState(initial);
  const [failure, setFailure] = useState<ApiFailure>();
  const leaving = useRef<AbortController>(undefined);
  const current = useRef<Promise<void>>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const look = useCallback(() => {
    const ask = async () => {
      const signal = leaving.current?.signal;
      try {
        setReport(await send<Report>("GET", "/api/service/status", undefined, { signal }));
        setFailure(undefined);
      } catch (error) {
        if (!signal?.aborted) setFailure(toFailure(error));
      } finally {
        current.current = undefined;
      }
    };
    current.current ??= ask();
    return current.current;
  }, []);
  return { report, failure, look };
}

/** Keeps the report fresh: on request, and every few seconds while somebody may be looking. */
export function useReport(initial: Report): Watch {
  const { report, failure, look } = useLook(initial);
  const [isWatching, setWatching] = useState(false);
  const { isPending, submit } = useSubmit(look);
  useEffect(() => setWatching(!isDataScarce()), []);
  useEffect(() => {
    if (!isWatching) return;
    const timer = setInterval(() => {
      if (!document.hidden) void look();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isWatching, look]);
  return { report, refresh: submit, isRefreshing: isPending, failure, isWatching, setWatching };
}
