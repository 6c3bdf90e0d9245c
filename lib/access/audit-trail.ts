import { and, asc, desc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { v7 as uuidv7 } from "uuid";
import { type Database, type Executor, query } from "#lib/db/database.ts";
import { auditEvents } from "#lib/db/schema.ts";
import type { ACTS } from "#lib/schemas/audit.ts";
import { ROWS_PER_PAGE } from "./access-limits.ts";
import type { Actor, Caller, Operator } from "./actor.ts";

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
    id: uuidv7(),
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

export function toEntry(event: AuditEvent): AuditEntry {
  const { id, at, act, targetType, targetId, targetName, address, detail, requestId } = event;
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

/** The ids are compared too, because the indexes are sorted by id. */
function isBetween({ since, until }: EventFilter): (SQL | undefined)[] {
  return [
    ...(since ? [gte(auditEvents.at, since), gt(auditEvents.id, firstIdAt(since.getTime() - CLOCKS_APART_MS))] : []),
    ...(until ? [lt(auditEvents.at, until), lt(auditEvents.id, firstIdAt(until.getTime() + CLOCKS_APART_MS))] : []),
  ];
}

function select(db: Database, conditions: (SQL | undefined)[]) {
  return db
    .select()
    .from(auditEvents)
    .where(and(...conditions));
}

/**
 * Reads from one end of an index, because ids sort by time. The cost does not depend on the number of events. Events
 * caused by a user and events about a user are in two indexes. Each of them is read as far as the page needs. That of events about a
 * user has none that the user caused: a program that signs in for each of its requests leaves a million of those. With an action,
 * two other indexes have the events of that action in a row, however rare it is among all of the user's.
 * @returns the newest first; with `after` the oldest first
 */
export async function selectEvents(db: Database, filter: PageFilter): Promise<AuditEvent[]> {
  const { before, after, limit, action, user } = filter;
  const order = after ? asc(auditEvents.id) : desc(auditEvents.id);
  const conditions = [
    before ? lt(auditEvents.id, before) : undefined,
    after ? gt(auditEvents.id, after) : undefined,
    action ? eq(auditEvents.act, action) : undefined,
    ...isBetween(filter),
  ];
  if (user === undefined) return await select(db, conditions).orderBy(order).limit(limit);
  const byUser = eq(auditEvents.actorId, user);
  const aboutUser = and(
    eq(auditEvents.targetId, user),
    sql`${auditEvents.actorId} is distinct from ${auditEvents.targetId}`,
  );
  const [first, second] = [byUser, aboutUser].map((condition) =>
    select(db, [...conditions, condition])
      .orderBy(order)
      .limit(limit),
  ) as [ReturnType<typeof select>, ReturnType<typeof select>];
  return await unionAll(first, second).orderBy(order).limit(limit);
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
