"use client";

import { useCallback, useEffect, useState } from "react";
import type { ProofReport } from "#lib/schemas/proof.ts";
import { type Method, send } from "../../../ui/api/api.ts";
import { type ApiFailure, toFailure } from "../../../ui/api/api-failure.ts";

/** How often the progress of a run is read. A picture takes about a tenth of a second. */
const PROGRESS_INTERVAL_MS = 2_000;

type ProofWatch = {
  report: ProofReport | undefined;
  failure: ApiFailure | undefined;
  start: () => Promise<void>;
};

/** Reads the proof of a template, and follows a run until it ends. */
export function useProof(slug: string): ProofWatch {
  const [report, setReport] = useState<ProofReport>();
  const [failure, setFailure] = useState<ApiFailure>();
  const ask = useCallback(
    async (method: Method, signal?: AbortSignal) => {
      try {
        const answer = await send<ProofReport>(method, `/api/service/proofs/${slug}`, undefined, { signal });
        if (signal?.aborted) return;
        setReport(answer);
        setFailure(undefined);
      } catch (error) {
        if (!signal?.aborted) setFailure(toFailure(error));
      }
    },
    [slug],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void ask("GET", leaving.signal);
    return () => leaving.abort();
  }, [ask]);
  useEffect(() => {
    if (!report?.run) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => void ask("GET", leaving.signal), PROGRESS_INTERVAL_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [report, ask]);
  return { report, failure, start: () => ask("POST") };
}
