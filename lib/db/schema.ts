import { customType, date, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/*
 * What the tables of `drizzle/*.sql` are called and hold. The constraints live there: emails are unique without case, the
 * last active administrator stays, a revoked token stays revoked.
 */

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

/** Emails are kept trimmed and in lower case; `passwordHash` is an argon2id string. */
export const users = pgTable("users", {
  id: uuid("id").primaryKey(),
  email: text("email").notNull(),
  name: text("name").notNull(),
  role: text("role", { enum: ["user", "admin"] })
    .notNull()
    .default("user"),
  status: text("status", { enum: ["active", "deactivated"] })
    .notNull()
    .default("active"),
  passwordHash: text("password_hash").notNull(),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
  lastLoginAt: moment("last_login_at"),
});

/** One signed-in browser. `secretHash` is the SHA-256 of what its cookie holds. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    secretHash: bytea("secret_hash").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
    lastSeenAt: moment("last_seen_at").notNull().defaultNow(),
    address: text("address"),
    userAgent: text("user_agent"),
  },
  (table) => [index("sessions_user_id").on(table.userId), index("sessions_expires_at").on(table.expiresAt)],
);

/** One API token. `secretHash` is the SHA-256 of the whole secret, `prefix` its first characters. */
export const tokens = pgTable(
  "tokens",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    prefix: text("prefix").notNull(),
    secretHash: bytea("secret_hash").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastUsedAt: moment("last_used_at"),
    revokedAt: moment("revoked_at"),
  },
  (table) => [index("tokens_user_id").on(table.userId)],
);

/** How full a bucket of attempts is, as the moment at which it will be empty again. */
export const throttle = pgTable("throttle", {
  key: text("key").primaryKey(),
  emptyAt: timestamp("empty_at", { withTimezone: true, mode: "date" }).notNull(),
});

/** Who did what to whom, and from where. It outlives those it names, so it refers to nothing. Never a secret. */
export const auditEvents = pgTable(
  "audit_events",
  {
    id: uuid("id").primaryKey(),
    at: moment("at").notNull().defaultNow(),
    act: text("act").notNull(),
    actorId: uuid("actor_id"),
    actorName: text("actor_name"),
    targetType: text("target_type", { enum: ["user", "token", "session"] }),
    targetId: uuid("target_id"),
    targetName: text("target_name"),
    detail: jsonb("detail").$type<Record<string, string>>(),
    address: text("address"),
    requestId: text("request_id"),
  },
  (table) => [
    index("audit_events_at").on(table.at),
    index("audit_events_act").on(table.act, table.id),
    index("audit_events_actor_id").on(table.actorId, table.id),
    index("audit_events_target_id").on(table.targetId, table.id),
  ],
);

/** How many pictures of a template one caller got on one day (UTC); without a token they were rendered in a session. */
export const usage = pgTable(
  "usage",
  {
    day: date("day", { mode: "string" }).notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tokenId: uuid("token_id").references(() => tokens.id, { onDelete: "cascade" }),
    template: text("template").notNull(),
    renders: integer("renders").notNull(),
  },
  (table) => [index("usage_token_id").on(table.tokenId, table.day), index("usage_user_id").on(table.userId, table.day)],
);
