import { Fragment, type ReactNode } from "react";
import { ChevronDown } from "../../ui/content/icons.tsx";
import { exactTime } from "../../ui/content/relative-time.ts";
import { withOffsets } from "../../ui/content/text-offsets.ts";
import { TimeAgo } from "../../ui/content/time-ago.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LinkButton } from "../../ui/form/button.tsx";
import { PageLink } from "../../ui/page/page-link.tsx";
import { auditHref, type Filter } from "./filter.ts";
import { detailTerm, type Entry, type Piece, sentenceOf } from "./sentence.ts";

function textOf(piece: Piece): string {
  return typeof piece === "string" ? piece : piece.name;
}

function Sentence({ pieces }: { pieces: Piece[] }) {
  return withOffsets(pieces, textOf).map(({ part, offset }) =>
    typeof part === "string" ? (
      <Fragment key={offset}>{part}</Fragment>
    ) : (
      <b key={offset} className="font-semibold">
        {part.name}
      </b>
    ),
  );
}

const ENDINGS = new Set(["user.deleted", "token.revoked"]);

/** The colour of the dot: failures, endings, or anything else. The sentence says the same. */
function dotColor({ action, detail }: Entry): string {
  if (action.endsWith(".failed")) return "bg-warn";
  if (ENDINGS.has(action) || detail?.status === "deactivated") return "bg-danger";
  return "bg-line";
}

/** A user, with a link that filters by them. */
function UserFilterLink({ id, name }: { id: string | null; name: string }) {
  if (id === null) return name;
  return (
    <>
      {name}{" "}
      <PageLink href={auditHref({ user: id })} className="link ml-2">
        Show only their entries
      </PageLink>
    </>
  );
}

function factsOf({ at, action, actor, subject, detail, address, requestId }: Entry): [string, ReactNode][] {
  const code = (text: string) => <code className="font-mono text-[0.8125rem]">{text}</code>;
  return [
    ["When", exactTime(new Date(at))],
    ["Action", code(action)],
    ...(actor
      ? [
          [
            "By",
            <UserFilterLink key="by" id={actor.id} name={actor.email ?? "the operator, on the command line"} />,
          ] as const,
        ]
      : []),
    ...(subject
      ? [
          [
            { user: "User", token: "Token", session: "Session" }[subject.type],
            subject.type === "user" ? (
              <UserFilterLink
                key="of"
                id={subject.id === actor?.id ? null : subject.id}
                name={subject.name ?? "unknown"}
              />
            ) : (
              (subject.name ?? "unknown")
            ),
          ] as const,
        ]
      : []),
    ...Object.entries(detail ?? {}).map(([key, value]) => [detailTerm(key), value] as const),
    ["Address", address ? code(address) : "unknown"],
    ...(requestId ? [["Request", code(requestId)] as const] : []),
  ].map(([term, value]) => [term as string, value]);
}

/** An entry: its sentence, and its details when it is opened. */
function AuditEntry({ entry }: { entry: Entry }) {
  return (
    <li>
      <details className="group border-line border-b">
        <summary className="grid cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-0.5 py-2.5 hover:bg-ink/4 sm:grid-cols-[auto_8.5rem_minmax(0,1fr)_auto_auto] [&::-webkit-details-marker]:hidden">
          <span
            aria-hidden="true"
            className={`size-2 self-center rounded-full max-sm:row-span-2 max-sm:self-start max-sm:mt-2 ${dotColor(entry)}`}
          />
          <span className="text-soft text-sm max-sm:order-3 max-sm:col-start-2">
            <TimeAgo moment={entry.at} />
          </span>
          <span className="text-[0.9375rem] [overflow-wrap:anywhere] max-sm:order-1">
            <Sentence pieces={sentenceOf(entry)} />
          </span>
          <span className="font-mono text-soft text-xs max-lg:hidden">{entry.address}</span>
          <span className="self-center text-soft transition-transform group-open:rotate-180 max-sm:order-2 max-sm:self-start max-sm:mt-1">
            <ChevronDown />
          </span>
        </summary>
        <dl className="mb-4 grid gap-x-6 gap-y-1.5 rounded-lg bg-surface px-4 py-3.5 text-sm sm:ml-5 sm:grid-cols-[max-content_minmax(0,1fr)]">
          {factsOf(entry).map(([term, value]) => (
            <Fragment key={term}>
              <dt className="text-soft">{term}</dt>
              <dd className="[overflow-wrap:anywhere] max-sm:mb-1.5">{value}</dd>
            </Fragment>
          ))}
        </dl>
      </details>
    </li>
  );
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });

/** Entries, grouped by day in UTC. */
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

/** Replaces an empty trail. */
export function NoEntries({ filter, isFiltered }: { filter: Filter; isFiltered: boolean }) {
  const isPaged = filter.before !== "" || filter.after !== "";
  if (isPaged)
    return (
      <EmptyState
        title="No older entries"
        action={<LinkButton href={auditHref({ ...filter, before: "", after: "" })}>Show the newest entries</LinkButton>}
      />
    );
  return (
    <EmptyState
      title={isFiltered ? "No matching entries" : "No entries yet"}
      action={isFiltered && <LinkButton href="/audit">Show all entries</LinkButton>}
    >
      Every sign-in and every change of a user, password or token is recorded here.
    </EmptyState>
  );
}

type AuditPaginationProps = { filter: Filter; older: string | null; newer: string | null };

/** Links to newer and older entries. */
export function AuditPagination({ filter, older, newer }: AuditPaginationProps) {
  if (older === null && newer === null) return null;
  return (
    <nav aria-label="Pages" className="mt-6 flex flex-wrap items-center gap-3">
      {newer !== null && (
        <>
          <LinkButton size="small" rel="prev" href={auditHref({ ...filter, before: "", after: newer })}>
            Newer
          </LinkButton>
          <LinkButton size="small" tone="quiet" href={auditHref({ ...filter, before: "", after: "" })}>
            Newest
          </LinkButton>
        </>
      )}
      {older !== null && (
        <LinkButton
          size="small"
          rel="next"
          className="ml-auto"
          href={auditHref({ ...filter, before: older, after: "" })}
        >
          Older
        </LinkButton>
      )}
    </nav>
  );
}
