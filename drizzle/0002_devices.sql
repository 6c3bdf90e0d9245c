-- A browser that has signed in before. Its tries at a password are counted apart from those of unknown browsers.
CREATE TABLE "devices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
	"secret_hash" bytea NOT NULL CONSTRAINT "devices_secret_hash_unique" UNIQUE CHECK (length("secret_hash") = 32),
	"created_at" timestamp (3) with time zone NOT NULL DEFAULT now(),
	"used_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "devices_user_id" ON "devices" ("user_id");
--> statement-breakpoint
CREATE INDEX "devices_expires_at" ON "devices" ("expires_at");
--> statement-breakpoint
-- Without a foreign key: the id of a device that is gone matches nothing.
ALTER TABLE "sessions" ADD COLUMN "device_id" uuid;
--> statement-breakpoint
-- The account whose tries a bucket counts, so that they can be cleared together.
ALTER TABLE "throttle" ADD COLUMN "account" text;
