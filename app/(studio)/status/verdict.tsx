import { StateShape, stateColor } from "./state-mark.tsx";
import type { Report } from "./use-report.ts";

function things(count: number): string {
  return count === 1 ? "One thing" : `${count} things`;
}

/** What the checks say together, in a sentence, and how many of them there are. */
function spoken({ state, checks }: Report): { sentence: string; rest: string } {
  const bad = checks.filter((check) => check.state === "error").length;
  const doubtful = checks.filter((check) => check.state === "warning").length;
  const well = `${checks.length - bad - doubtful} of ${checks.length} checks are good`;
  if (state === "error") {
    const sentence = `${things(bad)} ${bad === 1 ? "is" : "are"} broken.`;
    return { sentence, rest: doubtful === 0 ? `${well}.` : `${things(doubtful)} to look at; ${well}.` };
  }
  if (state === "warning")
    return { sentence: `It works, with ${things(doubtful).toLowerCase()} to look at.`, rest: `${well}.` };
  return { sentence: "Everything works.", rest: `All ${checks.length} checks are good.` };
}

/** The verdict on everything, said again to screen readers when it changes. */
export function Verdict({ report }: { report: Report }) {
  const { sentence, rest } = spoken(report);
  return (
    <div
      role="status"
      className="flex items-center gap-4 rounded-lg border border-line bg-surface px-5 py-5 sm:gap-6 sm:px-7 sm:py-7"
    >
      <StateShape state={report.state} className="size-9 sm:size-12" />
      <div className="min-w-0">
        <p className={`font-display font-semibold text-2xl tracking-tight ${stateColor(report.state)}`}>{sentence}</p>
        <p className="mt-1 text-soft">{rest}</p>
      </div>
    </div>
  );
}
