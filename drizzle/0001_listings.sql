CREATE INDEX CONCURRENTLY "audit_events_act" ON "audit_events" ("act", "id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "audit_events_actor_id" ON "audit_events" ("actor_id", "id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "audit_events_target_id" ON "audit_events" ("target_id", "id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "users_created_at" ON "users" ("created_at", "id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "users_name" ON "users" (lower("name"), "id");
