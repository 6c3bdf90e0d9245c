CREATE INDEX CONCURRENTLY "audit_events_actor_act" ON "audit_events" ("actor_id", "act", "id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "audit_events_by_others_act" ON "audit_events" ("target_id", "act", "id") WHERE "actor_id" IS DISTINCT FROM "target_id";
