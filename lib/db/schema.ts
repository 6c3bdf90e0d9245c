import { sql } from "drizzle-orm";
import { boolean, customType, date, index, integer, jsonb, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/*
 * The tables of `drizzle/*.sql`, for queries. The constraints are only in those files: emails are unique in any case,
 * the last active administrator stays, and a revoked token stays revoked.
 */

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

/** Emails are stored as `comparableEmail` of `lib/schemas/user.ts` returns them. `passwordHash` is an argon2id PHC string. */
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
  createdAt: timestampColumn("created_at").notNull().defaultNow(),
  updatedAt: timestampColumn("updated_at").notNull().defaultNow(),
  lastLoginAt: timestampColumn("last_login_at"),
});

/** One signed-in browser. `secretHash` is the SHA-256 of the cookie's value. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    secretHash: bytea("secret_hash").notNull(),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    expiresAt: timestampColumn("expires_at").notNull(),
    lastSeenAt: timestampColumn("last_seen_at").notNull().defaultNow(),
    address: text("address"),
    userAgent: text("user_agent"),
    /** The device that the login left in the browser. It may be gone. */
    deviceId: uuid("device_id"),
  },
  (table) => [index("sessions_user_id").on(table.userId), index("sessions_expires_at").on(table.expiresAt)],
);

/** One browser that has signed in before. `secretHash` is the SHA-256 of the cookie's value. `usedAt` is null until the cookie comes back. */
export const devices = pgTable(
  "devices",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    secretHash: bytea("secret_hash").notNull(),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    usedAt: timestampColumn("used_at"),
    expiresAt: timestampColumn("expires_at").notNull(),
  },
  (table) => [index("devices_user_id").on(table.userId), index("devices_expires_at").on(table.expiresAt)],
);

/**
 * A login from a browser that its account did not know, until it is confirmed. `isConfirmedThere`: confirmed by that browser
 * itself, which hides it from that browser only. Session and device may be gone.
 */
export const unknownLogins = pgTable(
  "unknown_logins",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sessionId: uuid("session_id").notNull(),
    deviceId: uuid("device_id").notNull(),
    at: timestampColumn("at").notNull().defaultNow(),
    address: text("address"),
    userAgent: text("user_agent"),
    isConfirmedThere: boolean("is_confirmed_there").notNull().default(false),
  },
  (table) => [index("unknown_logins_user_id").on(table.userId, table.id), index("unknown_logins_at").on(table.at)],
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
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    lastUsedAt: timestampColumn("last_used_at"),
    revokedAt: timestampColumn("revoked_at"),
  },
  (table) => [index("tokens_user_id").on(table.userId)],
);

/** The level of a rate-limit bucket, as the time at which it will be empty again. `account` groups the buckets of one account. */
export const throttle = pgTable(
  "throttle",
  {
    key: text("key").primaryKey(),
    emptyAt: timestamp("empty_at", { withTimezone: true, mode: "date" }).notNull(),
    account: text("account"),
  },
  (table) => [
    index("throttle_empty_at").on(table.emptyAt),
    index("throttle_account").on(table.account),
    index("throttle_login_address").on(table.key).where(sql`${table.key} like 'login-address:%'`),
  ],
);

/** One row, made with the table: the key of the hash that assigns names to buckets. */
export const throttleSecret = pgTable("throttle_secret", {
  id: boolean("id").primaryKey().default(true),
  secret: uuid("secret").notNull().defaultRandom(),
});

/** The audit trail, without secrets. It has no foreign keys, because it outlives the users and tokens that it names. */
export const auditEvents = pgTable(
  "audit_events",
  {
    id: uuid("id").primaryKey(),
    at: timestampColumn("at").notNull().defaultNow(),
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
    index("audit_events_by_others")
      .on(table.targetId, table.id)
      .where(sql`${table.actorId} is distinct from ${table.targetId}`),
    index("audit_events_actor_act").on(table.actorId, table.act, table.id),
    index("audit_events_by_others_act")
      .on(table.targetId, table.act, table.id)
      .where(sql`${table.actorId} is distinct from ${table.targetId}`),
  ],
);

/**
 * One sealed batch of the audit trail: the rows after the previous batch, up to its last one, in the order of `at` and `id`.
 * `hash` is a SHA-256 that also covers the previous seal. The seal stays when its rows are pruned.
 */
export const auditSeals = pgTable("audit_seals", {
  /** 1, 2, 3, … without gaps. */
  sequence: integer("sequence").primaryKey(),
  firstAt: timestampColumn("first_at").notNull(),
  firstId: uuid("first_id").notNull(),
  lastAt: timestampColumn("last_at").notNull(),
  lastId: uuid("last_id").notNull(),
  rows: integer("rows").notNull(),
  rowsHash: bytea("rows_hash").notNull(),
  hash: bytea("hash").notNull(),
  sealedAt: timestampColumn("sealed_at").notNull(),
  prunedAt: timestampColumn("pruned_at"),
});

/** How many images of a template one caller rendered on one day (UTC). `tokenId` is null for renders in a session. */
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
