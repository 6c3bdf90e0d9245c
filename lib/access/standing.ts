import { eq } from "drizzle-orm";
import type { Transaction } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { type Operator, type SessionActor, USER_COLUMNS, type UserRecord } from "./actor.ts";
import { signedOut } from "./locks.ts";

/** Who manages users: an administrator, as the route has made sure, or whoever runs commands on the machine. */
export type Manager = SessionActor | Operator;

type Standing = Pick<UserRecord, "role" | "status">;

async function readStanding(tx: Transaction, id: string): Promise<Standing | undefined> {
  const [user] = await tx.select(USER_COLUMNS).from(users).where(eq(users.id, id));
  return user;
}

/**
 * Makes sure that whoever manages may still do so, and otherwise undoes what the transaction has done: nobody who is being
 * demoted can take it back with a request that was under way.
 *
 * @param before the user who is managed, as they were before the change, in case they manage themselves
 * @throws AppError `unauthorized` when the actor was deleted or deactivated meanwhile, `forbidden` when demoted
 */
export async function requireStanding(
  tx: Transaction,
  { actor, before }: { actor: Manager; before?: UserRecord },
): Promise<void> {
  if (actor.kind === "operator") return;
  const standing = before?.id === actor.user.id ? before : await readStanding(tx, actor.user.id);
  if (standing?.status !== "active") throw signedOut();
  if (standing.role !== "admin") throw new AppError("forbidden", "Only an administrator may do this.");
}
