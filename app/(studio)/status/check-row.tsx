import { useId } from "react";
import type { StatusCheck, StatusDetail } from "#lib/schemas/status-report.ts";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { detailText } from "./detail-text.ts";
import { StateMark } from "./state-mark.tsx";

function Value({ detail }: { detail: StatusDetail }) {
  if (detail.unit === "moment") return <TimeAgo moment={detail.value === null ? null : String(detail.value)} />;
  return <span className={detail.value === null ? "text-soft" : ""}>{detailText(detail)}</span>;
}

/** The faults of one template have one label: what tells them apart is how many of it came before. */
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

/** The facts about a part, those of several of a kind under their name. */
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

/** One part that the service stands on: how it does, and what to do about it where it does not do well. */
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
