"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { StatusReport } from "#lib/schemas/status-report.ts";
import { send } from "../../ui/api/api.ts";
import { type ApiFailure, toFailure } from "../../ui/api/api-failure.ts";
import { useSubmit } from "../../ui/form/use-submit.ts";

/** The report without the scripts, which do not change while the server runs. */
export type Report = Omit<StatusReport, "scripts" | "checkedAt"> & { checkedAt: string };

/** The interval of the checks. A check renders a test picture when the last one is too old. */
const CHECK_INTERVAL_MS = 10_000;

/** Whether the browser is set to save data. */
function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true || window.matchMedia("(prefers-reduced-data: reduce)").matches;
}

type StatusWatch = {
  report: Report;
  refresh: () => Promise<void>;
  isRefreshing: boolean;
  /** The failure of the last check, automatic or not. */
  failure: ApiFailure | undefined;
  /** Whether the report is refreshed while the page is visible. */
  isWatching: boolean;
  setWatching: (isWatching: boolean) => void;
};

/** Reads the report. A call during a request waits for that request. */
function useCheck(initial: Report) {
  const [report, setReport] = useState(initial);
  const [failure, setFailure] = useState<ApiFailure>();
  const unmounting = useRef<AbortController>(undefined);
  const current = useRef<Promise<void>>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    unmounting.current = controller;
    return () => controller.abort();
  }, []);
  const check = useCallback(() => {
    const request = async () => {
      const signal = unmounting.current?.signal;
      try {
        setReport(await send<Report>("GET", "/api/service/status", undefined, { signal }));
        setFailure(undefined);
      } catch (error) {
        if (!signal?.aborted) setFailure(toFailure(error));
      } finally {
        current.current = undefined;
      }
    };
    current.current ??= request();
    return current.current;
  }, []);
  return { report, failure, check };
}

/** Refreshes the report on request, and at an interval while the page is visible. */
export function useReport(initial: Report): StatusWatch {
  const { report, failure, check } = useCheck(initial);
  const [isWatching, setWatching] = useState(false);
  const { isPending, submit } = useSubmit(check);
  useEffect(() => setWatching(!savesData()), []);
  useEffect(() => {
    if (!isWatching) return;
    const timer = setInterval(() => {
      if (!document.hidden) void check();
    }, CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isWatching, check]);
  return { report, refresh: submit, isRefreshing: isPending, failure, isWatching, setWatching };
}
