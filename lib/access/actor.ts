import { getTableColumns } from "drizzle-orm";
import { users } from "#lib/db/schema.ts";

/** A user as every part of the service may see it. */
export type UserRecord = Omit<typeof users.$inferSelect, "passwordHash">;

/** Someone signed in with the cookie. */
export type SessionActor = { kind: "session"; sessionId: string; user: UserRecord };

/** A program with an API token. */
export type TokenActor = { kind: "token"; tokenId: string; user: UserRecord };

/** What a request is known as. */
export type Actor = { kind: "anonymous" } | SessionActor | TokenActor;

/** Whoever runs commands on the machine itself. */
export type Operator = { kind: "operator" };

/** Where a request came from, for sessions, limits and the audit trail. */
export type Caller = { address: string | null; userAgent: string | null; requestId: string | null };

const { passwordHash: _, ...columns } = getTableColumns(users);

/** The columns of a {@link UserRecord}: what a query selects so that a hash never leaves the database by accident. */
export const USER_COLUMNS = columns;
