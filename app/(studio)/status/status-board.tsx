"use client";

import type { StatusCheck } from "#lib/schemas/status-report.ts";
import { TimeAgo } from "../../ui/content/time-ago.tsx";
import { FailureNotice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/form/button.tsx";
import { Switch } from "../../ui/form/switch.tsx";
import { PageHeader } from "../../ui/page/page-layout.tsx";
import { CheckRow, StateShape, stateColor } from "./check-row.tsx";
import { type Report, useReport } from "./use-report.ts";

function problems(count: number): string {
  return count === 1 ? "1 problem" : `${count} problems`;
}

function countWarnings(count: number): string {
  return count === 1 ? "1 warning" : `${count} warnings`;
}

/** The overall state as a sentence, and the number of checks that passed. */
function summarize({ state, checks }: Report): { sentence: string; rest: string } {
  const errors = checks.filter((check) => check.state === "error").length;
  const warnings = checks.filter((check) => check.state === "warning").length;
  const passed = `${checks.length - errors - warnings} of ${checks.length} checks passed`;
  if (state === "error") {
    const sentence = `${problems(errors)} found`;
    return { sentence, rest: warnings === 0 ? `${passed}.` : `${passed}, ${countWarnings(warnings)}.` };
  }
  if (state === "warning") return { sentence: `Working, with ${countWarnings(warnings)}`, rest: `${passed}.` };
  return { sentence: "Everything works", rest: `All ${checks.length} checks passed.` };
}

/** The overall state, announced when it changes. */
function OverallState({ report }: { report: Report }) {
  const { sentence, rest } = summarize(report);
  return (
    <div
      role="status"
      className="flex items-center gap-4 rounded-lg border border-line bg-surface px-5 py-5 sm:gap-6 sm:px-7 sm:py-7"
    >
      <StateShape state={report.state} className="size-9 sm:size-12" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className={`font-display font-semibold text-2xl tracking-tight ${stateColor(report.state)}`}>{sentence}</p>
        <p className="mt-1 text-soft">{rest}</p>
      </div>
    </div>
  );
}

/** How bad a state is. The list of the schemas would bring a validator of 30 kB into the page. */
const BADNESS: Record<StatusCheck["state"], number> = { ok: 0, warning: 1, error: 2 };

/** Errors first, then warnings; otherwise in the order of the report. */
function worstFirst(checks: StatusCheck[]): StatusCheck[] {
  return checks.toSorted((a, b) => BADNESS[b.state] - BADNESS[a.state]);
}

/** The status report, which refreshes itself. */
export function StatusBoard({ initial }: { initial: Report }) {
  const { report, refresh, isRefreshing, failure, isWatching, setWatching } = useReport(initial);
  return (
    <>
      <PageHeader
        title="Status"
        lead={`The state of Platen ${report.version}, and what to do about problems.`}
        actions={
          <Button onClick={() => void refresh()} isPending={isRefreshing}>
            Check again
          </Button>
        }
      />
      <OverallState report={report} />
      <div className="mt-4 flex min-h-7 flex-wrap items-center justify-between gap-x-6 gap-y-2 text-soft text-sm">
        <p>
          Checked <TimeAgo moment={report.checkedAt} />
        </p>
        <Switch label="Check every 10 seconds" checked={isWatching} onCheckedChange={setWatching} />
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
