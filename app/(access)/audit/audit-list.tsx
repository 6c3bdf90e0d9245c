import { AuditEntry } from "./audit-entry.tsx";
import type { Entry } from "./sentence.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });

/** Entries under the days on which they happened, in UTC as everywhere. */
export function AuditList({ entries }: { entries: Entry[] }) {
  const days = Map.groupBy(entries, ({ at }) => at.slice(0, 10));
  return [...days].map(([day, ofDay]) => (
    <section key={day} aria-labelledby={`day-${day}`} className="mt-8 first:mt-0">
      <h2
        id={`day-${day}`}
        className="border-line border-b pb-2 font-medium text-soft text-xs uppercase tracking-wider"
      >
        {DAY.format(new Date(day))}
      </h2>
      <ol>
        {ofDay.map((entry) => (
          <AuditEntry key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  ));
}
