import { and, asc, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { type Database, query } from "#lib/db/database.ts";
import { auditEvents } from "#lib/db/schema.ts";
import { ROWS_PER_PAGE } from "./access-limits.ts";
import type { Act, AuditEvent } from "./audit.ts";

type Wanted = {
  /** Only what happened before this event, which may be deleted by now. */
  before?: string | undefined;
  /** Only what happened after this event, which may be deleted by now, and of that what came next. */
  after?: string | undefined;
  limit?: number | undefined;
  action?: Act | undefined;
  /** The id of a user: what they did, and what was done to them. */
  user?: string | undefined;
};

type Page = Wanted & { limit: number };

type AuditEntry = {
  id: string;
  at: Date;
  action: string;
  actor: { kind: "user" | "operator"; id: string | null; email: string | null } | null;
  subject: { type: "user" | "token" | "session"; id: string | null; name: string | null } | null;
  address: string | null;
  detail: Record<string, string> | null;
  requestId: string | null;
};

function actorOf({ actorId, actorName }: AuditEvent): AuditEntry["actor"] {
  if (actorId !== null) return { kind: "user", id: actorId, email: actorName };
  return actorName === null ? null : { kind: "operator", id: null, email: null };
}

function entryOf(event: AuditEvent): AuditEntry {
  const { id, at, act, targetType, targetId, targetName, address, detail, requestId } = event;
  const subject = targetType && { type: targetType, id: targetId, name: targetName };
  return { id, at, action: act, actor: actorOf(event), subject, address, detail, requestId };
}

function select(db: Database, conditions: (SQL | undefined)[]) {
  return db
    .select()
    .from(auditEvents)
    .where(and(...conditions));
}

/**
 * Read off the end of one index, however many events there are: the ids sort by age. What a user did and what was done to them are
 * two indexes, read as far as the page goes.
 * @returns the newest first; with `after` the oldest first
 */
async function selectEvents(db: Database, wanted: Page): Promise<AuditEvent[]> {
  const { before, after, limit, action, user } = wanted;
  const order = after ? asc(auditEvents.id) : desc(auditEvents.id);
  const conditions = [
    before ? lt(auditEvents.id, before) : undefined,
    after ? gt(auditEvents.id, after) : undefined,
    action ? eq(auditEvents.act, action) : undefined,
  ];
  if (user === undefined) return await select(db, conditions).orderBy(order).limit(limit);
  const did = eq(auditEvents.actorId, user);
  const suffered = and(eq(auditEvents.targetId, user), sql`${auditEvents.actorId} is distinct from ${user}`);
  const [first, second] = [did, suffered].map((condition) =>
    select(db, [...conditions, condition])
      .orderBy(order)
      .limit(limit),
  ) as [ReturnType<typeof select>, ReturnType<typeof select>];
  return await unionAll(first, second).orderBy(order).limit(limit);
}

/** What came after an event, and whether anything is older than that: its own event may be gone. */
async function selectNewer(db: Database, wanted: Page): Promise<{ shown: AuditEvent[]; hasOlder: boolean }> {
  const shown = (await selectEvents(db, wanted)).toReversed();
  const oldest = shown.at(-1)?.id;
  const { action, user } = wanted;
  const older = oldest ? await selectEvents(db, { before: oldest, limit: 1, action, user }) : [];
  return { shown, hasOlder: older.length > 0 };
}

async function selectPage(db: Database, wanted: Page) {
  if (wanted.after !== undefined) return await selectNewer(db, wanted);
  const events = await selectEvents(db, { ...wanted, limit: wanted.limit + 1 });
  return { shown: events.slice(0, wanted.limit), hasOlder: events.length > wanted.limit };
}

/**
 * A page of what happened, the newest first. What happens while somebody turns the pages is on none of the later ones, and moves nothing.
 * @returns `next`: the `before` of the page after this one
 * @throws AppError `unavailable`
 */
export async function readAuditTrail(wanted: Wanted): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const limit = wanted.limit ?? ROWS_PER_PAGE;
  const { shown, hasOlder } = await query((db) => selectPage(db, { ...wanted, limit }));
  return { entries: shown.map(entryOf), next: hasOlder ? (shown.at(-1)?.id ?? null) : null };
}
