import { getTableColumns } from "drizzle-orm";
import { users } from "#lib/db/schema.ts";

/** A user without the password hash. */
export type UserRecord = Omit<typeof users.$inferSelect, "passwordHash">;

/** A user with a session cookie. */
export type SessionActor = { kind: "session"; sessionId: string; user: UserRecord };

/** A program with an API token. */
export type TokenActor = { kind: "token"; tokenId: string; user: UserRecord };

/** The sender of a request, as its credentials identify it. */
export type Actor = { kind: "anonymous" } | SessionActor | TokenActor;

/** A person who runs commands on the machine itself. */
export type Operator = { kind: "operator" };

/** Where a request came from: for sessions, rate limits and the audit trail. */
export type Caller = { address: string | null; userAgent: string | null; requestId: string | null };

const { passwordHash: _, ...columns } = getTableColumns(users);

/** The columns of a {@link UserRecord}. A query that selects these cannot return a password hash by accident. */
export const USER_COLUMNS = columns;
