CREATE INDEX CONCURRENTLY "throttle_account" ON "throttle" ("account");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "throttle_login_address" ON "throttle" ("key") WHERE "key" LIKE 'login-address:%';
