"use client";

import { useEffect, useState } from "react";
import type { StatusReport } from "#lib/schemas/status-report.ts";
import { send } from "../../ui/api/api.ts";
import { type ApiFailure, toFailure } from "../../ui/api/api-failure.ts";
import { FailureNotice } from "../../ui/feedback/notice.tsx";
import { PageHeader } from "../../ui/page/page-layout.tsx";
import { ScriptSheet } from "./script-sheet.tsx";
import { StatusBoard } from "./status-board.tsx";
import type { Report } from "./use-report.ts";

/** The status of the function that renders, for a page whose own function has no browser. */
export function FetchedStatus() {
  const [report, setReport] = useState<Report & Pick<StatusReport, "scripts">>();
  const [failure, setFailure] = useState<ApiFailure>();
  useEffect(() => {
    const unmounting = new AbortController();
    const { signal } = unmounting;
    send<Report & Pick<StatusReport, "scripts">>("GET", "/api/service/status", undefined, { signal }).then(
      setReport,
      (error: unknown) => {
        if (!signal.aborted) setFailure(toFailure(error));
      },
    );
    return () => unmounting.abort();
  }, []);
  if (report) {
    return (
      <>
        <StatusBoard initial={report} />
        <ScriptSheet scripts={report.scripts} />
      </>
    );
  }
  return (
    <>
      <PageHeader title="Status" lead={failure ? undefined : "Asking the function that renders …"} />
      <FailureNotice failure={failure} />
    </>
  );
}
