-- A login from a browser that its account did not know, until someone at the account confirms it.
CREATE TABLE "unknown_logins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
	"session_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL DEFAULT now(),
	"address" text,
	"user_agent" text,
	"is_confirmed_there" boolean NOT NULL DEFAULT false
);
--> statement-breakpoint
CREATE INDEX "unknown_logins_user_id" ON "unknown_logins" ("user_id", "id");
--> statement-breakpoint
CREATE INDEX "unknown_logins_at" ON "unknown_logins" ("at");
