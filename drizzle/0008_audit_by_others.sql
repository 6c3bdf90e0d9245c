CREATE INDEX CONCURRENTLY "audit_events_by_others" ON "audit_events" ("target_id", "id") WHERE "actor_id" IS DISTINCT FROM "target_id";
