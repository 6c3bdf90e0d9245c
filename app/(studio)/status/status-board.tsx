"use client";

import { STATUS_STATES, type StatusCheck } from "#lib/schemas/status-report.ts";
import { Button } from "../../ui/button.tsx";
import { FailureNotice } from "../../ui/failure-notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Switch } from "../../ui/switch.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { CheckRow } from "./check-row.tsx";
import { type Report, useReport } from "./use-report.ts";
import { Verdict } from "./verdict.tsx";

/** What needs somebody comes first; otherwise the order is the report's. */
function worstFirst(checks: StatusCheck[]): StatusCheck[] {
  return checks.toSorted((a, b) => STATUS_STATES.indexOf(b.state) - STATUS_STATES.indexOf(a.state));
}

/** The report, which keeps itself fresh. */
export function StatusBoard({ initial }: { initial: Report }) {
  const { report, refresh, isRefreshing, failure, isWatching, setWatching } = useReport(initial);
  return (
    <>
      <PageHeader
        title="Status"
        lead={`What Platen ${report.version} stands on, and what to do where something is wrong.`}
        actions={
          <Button onClick={() => void refresh()} isPending={isRefreshing}>
            Check again
          </Button>
        }
      />
      <Verdict report={report} />
      <div className="mt-4 flex min-h-7 flex-wrap items-center justify-between gap-x-6 gap-y-2 text-soft text-sm">
        <p>
          Checked <TimeAgo moment={report.checkedAt} />
        </p>
        <Switch label="Check every ten seconds" checked={isWatching} onCheckedChange={setWatching} />
      </div>
      <div className="mt-2">
        <FailureNotice failure={failure} />
      </div>
      <ul aria-label="Checks" className="mt-4 border-line border-t">
        {worstFirst(report.checks).map((check) => (
          <CheckRow key={check.id} check={check} />
        ))}
      </ul>
    </>
  );
}
