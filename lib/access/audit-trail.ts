import { and, asc, desc, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import { type PgColumn, unionAll } from "drizzle-orm/pg-core";
import { MAX, NIL } from "uuid";
import { type Database, type Executor, query } from "#lib/db/database.ts";
import { auditEvents } from "#lib/db/schema.ts";
import { isObject } from "#lib/json-kinds.ts";
import type { ACTS } from "#lib/schemas/audit.ts";
import { ROWS_PER_PAGE } from "./access-limits.ts";
import type { Actor, Caller, Operator } from "./actor.ts";
import { newId } from "./new-id.ts";

export type Act = (typeof ACTS)[number];

type AuditEvent = typeof auditEvents.$inferSelect;

type Target = { type: "user" | "token" | "session"; id: string; name: string };

type Occurrence = {
  act: Act;
  actor: Actor | Operator;
  target?: Target | undefined;
  /** The values that the act has set, by name. Never a secret. */
  detail?: Record<string, string> | undefined;
  caller: Caller;
};

/** The caller of commands that run on the machine itself. */
export const LOCAL_CALLER: Caller = { address: null, userAgent: null, requestId: null };

/** A user as the target of an act, named by email because names are not unique. */
export function userTarget({ id, email }: { id: string; email: string }): Target {
  return { type: "user", id, name: email };
}

function actorColumns(actor: Actor | Operator): { actorId: string | null; actorName: string | null } {
  if (actor.kind === "anonymous") return { actorId: null, actorName: null };
  if (actor.kind === "operator") return { actorId: null, actorName: "operator" };
  return { actorId: actor.user.id, actorName: actor.user.email };
}

/** Records an act. Run it in the transaction of the act itself, so that either both are stored or neither. */
export async function recordAct(tx: Executor, { act, actor, target, detail, caller }: Occurrence): Promise<void> {
  await tx.insert(auditEvents).values({
    id: newId(),
    act,
    ...actorColumns(actor),
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    detail: detail ?? null,
    address: caller.address,
    requestId: caller.requestId,
  });
}

/** Which events are meant. */
export type EventFilter = {
  action?: Act | undefined;
  /** The id of a user: events that they caused, and events about them. */
  user?: string | undefined;
  /** Only events from this time on. */
  since?: Date | undefined;
  /** Only events before this time. */
  until?: Date | undefined;
};

type Filter = EventFilter & {
  /** Id of an event: only older events. The event itself may be deleted by now. */
  before?: string | undefined;
  /** Id of an event: only the events that directly followed it. The event itself may be deleted by now. */
  after?: string | undefined;
  limit?: number | undefined;
};

type PageFilter = Filter & { limit: number };

/** An event as the routes and exports show it. */
export type AuditEntry = {
  id: string;
  at: Date;
  action: string;
  actor: { kind: "user" | "operator"; id: string | null; email: string | null } | null;
  subject: { type: "user" | "token" | "session"; id: string | null; name: string | null } | null;
  address: string | null;
  detail: Record<string, string> | null;
  requestId: string | null;
};

function toActor({ actorId, actorName }: AuditEvent): AuditEntry["actor"] {
  if (actorId !== null) return { kind: "user", id: actorId, email: actorName };
  return actorName === null ? null : { kind: "operator", id: null, email: null };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** The table takes any JSON. A row that was edited or restored badly is shown as it is: it would take the whole page along. */
function toDetail(detail: unknown): AuditEntry["detail"] {
  if (detail === null) return null;
  if (!isObject(detail)) return { detail: textOf(detail) };
  return Object.fromEntries(Object.entries(detail).map(([key, value]) => [key, textOf(value)]));
}

export function toEntry(event: AuditEvent): AuditEntry {
  const { id, at, act, targetType, targetId, targetName, address, requestId } = event;
  const detail = toDetail(event.detail);
  const subject = targetType && { type: targetType, id: targetId, name: targetName };
  return { id, at, action: act, actor: toActor(event), subject, address, detail, requestId };
}

/** How far the clocks of servers, which make the ids, and the clock of the database, which gives the times, may be apart. */
const CLOCKS_APART_MS = 24 * 60 * 60 * 1_000;

/** The smallest id of a time: ids are UUIDv7. */
function firstIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The ids between which the events of a filter are. */
type IdRange = { above: string; below: string };

/** Times narrow it too, because the indexes are sorted by id. */
function idRangeOf({ before, after, since, until }: Filter): IdRange {
  const above = [NIL, after, since && firstIdAt(since.getTime() - CLOCKS_APART_MS)];
  const below = [MAX, before, until && firstIdAt(until.getTime() + CLOCKS_APART_MS)];
  const sorted = (ids: (string | undefined)[]) => ids.flatMap((id) => id?.toLowerCase() ?? []).toSorted();
  return { above: sorted(above).at(-1) ?? NIL, below: sorted(below).at(0) ?? MAX };
}

/** The columns of an index before the id, each with the value that is looked for. */
type Group = [column: PgColumn, value: string][];

type Reading = { group: Group; range: IdRange; isAscending: boolean; limit: number };

/**
 * Reads a group of events in the order of the index that begins with the group's columns. Rows are compared and sorted by all of these
 * columns, which no other index can do. With `=`, PostgreSQL would expect that most events match where one user or action is frequent,
 * and would look for them in the order of their ids: through a million events, where they are not among the newest. With `>` instead of
 * `>=`, it would expect few, and might read all events of the user and sort them.
 */
function selectGroup(db: Database, { group, range, isAscending, limit }: Reading, ...conditions: (SQL | undefined)[]) {
  const columns = [...group.map(([column]) => column), auditEvents.id];
  const row = sql`(${sql.join(columns, sql`, `)})`;
  const end = (id: string) =>
    sql`(${sql.join([...group.map(([column, value]) => sql.param(value, column)), sql.param(id, auditEvents.id)], sql`, `)})`;
  return db
    .select()
    .from(auditEvents)
    .where(
      and(
        sql`${row} >= ${end(range.above)}`,
        sql`${row} <= ${end(range.below)}`,
        gt(auditEvents.id, range.above),
        lt(auditEvents.id, range.below),
        ...conditions,
      ),
    )
    .orderBy(...columns.map((column) => (isAscending ? asc(column) : desc(column))))
    .limit(limit);
}

/**
 * Reads from one end of an index, because ids sort by time. The cost does not depend on the number of events. Events
 * caused by a user and events about a user are in two indexes. Each of them is read as far as the page needs. That of events about a
 * user has none that the user caused: a program that signs in for each of its requests leaves a million of those. With an action,
 * two other indexes have the events of that action in a row, however rare it is among all of the user's.
 * @returns the newest first; with `after` the oldest first
 */
export async function selectEvents(db: Database, filter: PageFilter): Promise<AuditEvent[]> {
  const { after, limit, action, user, since, until } = filter;
  const reading = { range: idRangeOf(filter), isAscending: after !== undefined, limit };
  const times = [since && gte(auditEvents.at, since), until && lt(auditEvents.at, until)];
  const byAction: Group = action ? [[auditEvents.act, action]] : [];
  if (user === undefined) return await selectGroup(db, { ...reading, group: byAction }, ...times);
  const byUser: Group = [[auditEvents.actorId, user], ...byAction];
  const aboutUser: Group = [[auditEvents.targetId, user], ...byAction];
  const isByOthers = sql`${auditEvents.actorId} is distinct from ${auditEvents.targetId}`;
  const caused = selectGroup(db, { ...reading, group: byUser }, ...times);
  const suffered = selectGroup(db, { ...reading, group: aboutUser }, isByOthers, ...times);
  const order = reading.isAscending ? asc(auditEvents.id) : desc(auditEvents.id);
  return await unionAll(caused, suffered).orderBy(order).limit(limit);
}

/** The events after another one. A second query finds out whether older ones exist: the other event may be deleted. */
async function selectNewer(db: Database, filter: PageFilter): Promise<{ shown: AuditEvent[]; hasOlder: boolean }> {
  const shown = (await selectEvents(db, filter)).toReversed();
  const oldest = shown.at(-1)?.id;
  const older = oldest ? await selectEvents(db, { ...filter, after: undefined, before: oldest, limit: 1 }) : [];
  return { shown, hasOlder: older.length > 0 };
}

async function selectPage(db: Database, filter: PageFilter) {
  if (filter.after !== undefined) return await selectNewer(db, filter);
  const events = await selectEvents(db, { ...filter, limit: filter.limit + 1 });
  return { shown: events.slice(0, filter.limit), hasOlder: events.length > filter.limit };
}

/**
 * A page of the audit trail, the newest first. New events do not move the following pages.
 * @returns `next`: the `before` of the following page
 * @throws AppError `unavailable`
 */
export async function readAuditTrail(filter: Filter): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const limit = filter.limit ?? ROWS_PER_PAGE;
  const { shown, hasOlder } = await query((db) => selectPage(db, { ...filter, limit }));
  return { entries: shown.map(toEntry), next: hasOlder ? (shown.at(-1)?.id ?? null) : null };
}
