CREATE TABLE "users" (
	"id" uuid PRIMARY KEY,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL DEFAULT 'user',
	"status" text NOT NULL DEFAULT 'active',
	"password_hash" text NOT NULL,
	"created_at" timestamptz(3) NOT NULL DEFAULT now(),
	"updated_at" timestamptz(3) NOT NULL DEFAULT now(),
	"last_login_at" timestamptz(3),
	CONSTRAINT "users_email_trimmed" CHECK ("email" = btrim("email") AND "email" <> ''),
	CONSTRAINT "users_role_known" CHECK ("role" IN ('user', 'admin')),
	CONSTRAINT "users_status_known" CHECK ("status" IN ('active', 'deactivated'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" (lower("email"));
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
	"secret_hash" bytea NOT NULL,
	"created_at" timestamptz(3) NOT NULL DEFAULT now(),
	"expires_at" timestamptz(3) NOT NULL,
	"last_seen_at" timestamptz(3) NOT NULL DEFAULT now(),
	"address" text,
	"user_agent" text,
	CONSTRAINT "sessions_secret_hash_sha256" CHECK (octet_length("secret_hash") = 32)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_secret_hash_unique" ON "sessions" ("secret_hash");
--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" ("user_id");
--> statement-breakpoint
CREATE INDEX "sessions_expires_at" ON "sessions" ("expires_at");
--> statement-breakpoint
CREATE TABLE "tokens" (
	"id" uuid PRIMARY KEY,
	"user_id" uuid NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"secret_hash" bytea NOT NULL,
	"created_at" timestamptz(3) NOT NULL DEFAULT now(),
	"last_used_at" timestamptz(3),
	"revoked_at" timestamptz(3),
	CONSTRAINT "tokens_secret_hash_sha256" CHECK (octet_length("secret_hash") = 32)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_secret_hash_unique" ON "tokens" ("secret_hash");
--> statement-breakpoint
CREATE INDEX "tokens_user_id" ON "tokens" ("user_id");
--> statement-breakpoint
CREATE TABLE "throttle" (
	"key" text PRIMARY KEY,
	"empty_at" timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX "throttle_empty_at" ON "throttle" ("empty_at");
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" uuid PRIMARY KEY,
	"at" timestamptz(3) NOT NULL DEFAULT now(),
	"act" text NOT NULL,
	"actor_id" uuid,
	"actor_name" text,
	"target_type" text,
	"target_id" uuid,
	"target_name" text,
	"detail" jsonb,
	"address" text,
	"request_id" text
);
--> statement-breakpoint
CREATE INDEX "audit_events_at" ON "audit_events" ("at");
--> statement-breakpoint
CREATE TABLE "usage" (
	"day" date NOT NULL,
	"user_id" uuid NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
	"token_id" uuid REFERENCES "tokens" ("id") ON DELETE CASCADE,
	"template" text NOT NULL,
	"renders" integer NOT NULL,
	CONSTRAINT "usage_unique" UNIQUE NULLS NOT DISTINCT ("day", "user_id", "token_id", "template")
);
--> statement-breakpoint
CREATE INDEX "usage_token_id" ON "usage" ("token_id", "day");
--> statement-breakpoint
CREATE INDEX "usage_user_id" ON "usage" ("user_id", "day");
--> statement-breakpoint
-- One active administrator always stays. The lock makes concurrent changes wait for each other, and the query after it sees
-- what the other transaction has committed.
CREATE FUNCTION "keep_last_admin"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' AND NEW."role" = 'admin' AND NEW."status" = 'active' THEN
		RETURN NEW;
	END IF;
	PERFORM pg_advisory_xact_lock(hashtext('platen.last_admin'));
	IF NOT EXISTS (
		SELECT 1 FROM "users" WHERE "role" = 'admin' AND "status" = 'active' AND "id" <> OLD."id"
	) THEN
		RAISE EXCEPTION 'the last active administrator stays' USING ERRCODE = 'ZA001';
	END IF;
	RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "users_keep_last_admin" BEFORE UPDATE OR DELETE ON "users"
	FOR EACH ROW WHEN (OLD."role" = 'admin' AND OLD."status" = 'active') EXECUTE FUNCTION "keep_last_admin"();
--> statement-breakpoint
CREATE FUNCTION "keep_revoked"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'a revoked token stays revoked' USING ERRCODE = 'ZA002';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "tokens_keep_revoked" BEFORE UPDATE ON "tokens"
	FOR EACH ROW WHEN (OLD."revoked_at" IS NOT NULL AND NEW."revoked_at" IS DISTINCT FROM OLD."revoked_at")
	EXECUTE FUNCTION "keep_revoked"();
