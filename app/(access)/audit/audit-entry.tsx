import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { ChevronDown } from "../../ui/icons.tsx";
import { placed } from "../../ui/placed.ts";
import { exactTime } from "../../ui/relative-time.ts";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { detailTerm } from "./detail-term.ts";
import { auditHref } from "./filter.ts";
import { type Entry, type Piece, sentenceOf } from "./sentence.ts";

function wordsOf(piece: Piece): string {
  return typeof piece === "string" ? piece : piece.name;
}

function Sentence({ pieces }: { pieces: Piece[] }) {
  return placed(pieces, wordsOf).map(({ part, offset }) =>
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

/** What deserves a second look has a colour; the sentence says the same in words. */
function dotOf({ action, detail }: Entry): string {
  if (action.endsWith(".failed")) return "bg-warn";
  if (ENDINGS.has(action) || detail?.status === "deactivated") return "bg-danger";
  return "bg-line";
}

/** Somebody by name, with the way to everything that they did. */
function Trail({ id, name }: { id: string | null; name: string }) {
  if (id === null) return name;
  return (
    <>
      {name}{" "}
      <Link href={auditHref({ user: id })} prefetch={false} className="link ml-2">
        Only theirs
      </Link>
    </>
  );
}

function factsOf({ at, action, actor, subject, detail, address, requestId }: Entry): [string, ReactNode][] {
  const code = (text: string) => <code className="font-mono text-[0.8125rem]">{text}</code>;
  return [
    ["When", exactTime(new Date(at))],
    ["Action", code(action)],
    ...(actor
      ? [["By", <Trail key="by" id={actor.id} name={actor.email ?? "the operator, on the machine"} />] as const]
      : []),
    ...(subject
      ? [
          [
            { user: "User", token: "Token", session: "Session" }[subject.type],
            subject.type === "user" ? (
              <Trail key="of" id={subject.id === actor?.id ? null : subject.id} name={subject.name ?? "unknown"} />
            ) : (
              (subject.name ?? "unknown")
            ),
          ] as const,
        ]
      : []),
    ...Object.entries(detail ?? {}).map(([key, value]) => [detailTerm(key), value] as const),
    ["Address", address ? code(address) : "not known"],
    ...(requestId ? [["Request", code(requestId)] as const] : []),
  ].map(([term, value]) => [term as string, value]);
}

/** One line of the trail: what happened, and on request everything that is known of it. */
export function AuditEntry({ entry }: { entry: Entry }) {
  return (
    <li>
      <details className="group border-line border-b">
        <summary className="grid cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-0.5 py-2.5 hover:bg-ink/4 sm:grid-cols-[auto_8.5rem_minmax(0,1fr)_auto_auto] [&::-webkit-details-marker]:hidden">
          <span
            aria-hidden="true"
            className={`size-2 self-center rounded-full max-sm:row-span-2 max-sm:self-start max-sm:mt-2 ${dotOf(entry)}`}
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
