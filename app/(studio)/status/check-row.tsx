import { useId } from "react";
import type { StatusCheck, StatusDetail } from "#lib/schemas/status-report.ts";
import { TimeAgo } from "../../ui/content/time-ago.tsx";
import { detailText } from "./detail-text.ts";

type State = StatusCheck["state"];

/** The state is shown as a shape, a word and a colour. */
const STATES: Record<State, { word: string; color: string; shape: string }> = {
  ok: {
    word: "OK",
    color: "text-good",
    shape: "M8 1.25a6.75 6.75 0 1 0 0 13.5 6.75 6.75 0 0 0 0-13.5ZM5 8.25l2.1 2.1L11 6.1",
  },
  warning: { word: "Warning", color: "text-warn", shape: "M8 1.75 15 14H1L8 1.75ZM8 6.25v3.5M8 11.9v.1" },
  error: {
    word: "Error",
    color: "text-danger",
    shape: "M5.2 1.25h5.6l3.95 3.95v5.6l-3.95 3.95H5.2L1.25 10.8V5.2L5.2 1.25ZM5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8",
  },
};

/** The text colour of a state. */
export function stateColor(state: State): string {
  return STATES[state].color;
}

/** The shape alone, for places that have the word beside it. */
export function StateShape({ state, className }: { state: State; className: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`flex-none fill-none stroke-[1.5] stroke-current ${STATES[state].color} ${className}`}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={STATES[state].shape} />
    </svg>
  );
}

/** The shape and the word of a state. */
function StateMark({ state }: { state: State }) {
  const { word, color } = STATES[state];
  return (
    <span className={`inline-flex items-center gap-2 font-medium text-sm leading-6 whitespace-nowrap ${color}`}>
      <StateShape state={state} className="size-4" />
      {word}
    </span>
  );
}

function Value({ detail }: { detail: StatusDetail }) {
  if (detail.unit === "moment") return <TimeAgo moment={detail.value === null ? null : String(detail.value)} />;
  return <span className={detail.value === null ? "text-soft" : ""}>{detailText(detail)}</span>;
}

/** Adds React keys. They contain a number, because labels repeat when a template has several faults. */
function keyed(details: StatusDetail[]): { key: string; detail: StatusDetail }[] {
  const counts = new Map<string, number>();
  return details.map((detail) => {
    const before = counts.get(detail.label) ?? 0;
    counts.set(detail.label, before + 1);
    return { key: `${detail.label} ${before}`, detail };
  });
}

function Facts({ details }: { details: StatusDetail[] }) {
  return (
    <dl className="grid gap-x-10 lg:grid-cols-2">
      {keyed(details).map(({ key, detail }) => (
        <div
          key={key}
          className="flex flex-wrap items-baseline justify-between gap-x-6 border-line border-b py-1.5 text-sm"
        >
          <dt className="text-soft [overflow-wrap:anywhere]">{detail.label}</dt>
          <dd className="ml-auto text-right tabular-nums [overflow-wrap:anywhere]">
            <Value detail={detail} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The details of a check, by group. A group has a heading if it has a name. */
function Details({ details, label }: { details: StatusDetail[]; label: string }) {
  const groups = [...Map.groupBy(details, ({ group }) => group)];
  return (
    <details>
      <summary className="absolute top-4 right-0 cursor-pointer rounded-sm text-soft text-sm leading-6 hover:text-ink">
        Details<span className="sr-only"> of {label}</span>
      </summary>
      <div className="mt-3 flex flex-col gap-4">
        {groups.map(([group, facts]) => (
          <div key={group ?? ""}>
            {group !== null && <h3 className="mb-1 font-medium text-sm">{group}</h3>}
            <Facts details={facts} />
          </div>
        ))}
      </div>
    </details>
  );
}

/** A check with its state, its remedy and its details. */
export function CheckRow({ check }: { check: StatusCheck }) {
  const { title, state, summary, remedy, details } = check;
  const id = useId();
  return (
    <li
      aria-labelledby={id}
      className="relative grid items-start gap-x-6 gap-y-1 border-line border-b py-4 sm:grid-cols-[8.5rem_minmax(0,1fr)] lg:grid-cols-[8.5rem_13rem_minmax(0,1fr)]"
    >
      <StateMark state={state} />
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      <div className="min-w-0 sm:col-start-2 lg:col-start-3">
        <p className="max-w-prose [overflow-wrap:anywhere] lg:pr-24">{summary}</p>
        {remedy !== null && (
          <p
            className={`mt-2 max-w-prose border-l-2 pl-3 text-[0.9375rem] [overflow-wrap:anywhere] ${state === "error" ? "border-danger" : "border-warn"}`}
          >
            <span className="font-semibold">What to do: </span>
            {remedy}
          </p>
        )}
        {details.length > 0 && <Details details={details} label={title} />}
      </div>
    </li>
  );
}
