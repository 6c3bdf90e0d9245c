-- The key of the hash that assigns names to buckets: nobody outside can choose a name that shares the bucket of another.
CREATE TABLE "throttle_secret" (
	"id" boolean PRIMARY KEY NOT NULL DEFAULT true CHECK ("id"),
	"secret" uuid NOT NULL DEFAULT gen_random_uuid()
);
--> statement-breakpoint
INSERT INTO "throttle_secret" DEFAULT VALUES;
