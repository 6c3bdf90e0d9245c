import { desc } from "drizzle-orm";
import { query } from "#lib/db/database.ts";
import { auditEvents } from "#lib/db/schema.ts";

/** The rows of the audit trail, the newest first. */
export async function listAuditEvents({ limit }: { limit: number }): Promise<(typeof auditEvents.$inferSelect)[]> {
  return await query((db) => db.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(limit));
}
