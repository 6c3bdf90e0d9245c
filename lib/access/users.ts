import { eq, sql } from "drizzle-orm";
import { validate as isUuid, v7 as uuidv7 } from "uuid";
import { query, type Transaction, transaction } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { type Caller, USER_COLUMNS, type UserRecord } from "./actor.ts";
import { recordAct, userTarget } from "./audit.ts";
import { lockUser } from "./locks.ts";
import { hashPassword } from "./passwords.ts";
import { maySeeTokensOf } from "./policies.ts";
import { endSessionsOf } from "./sessions.ts";
import { type Manager, requireStanding } from "./standing.ts";
import { listTokenUsage, type TokenUsageRecord } from "./token-usage.ts";
import { listTokens, type TokenRecord } from "./tokens.ts";
import { explainingFaults, saveChanges, type UserChanges } from "./user-changes.ts";

const noSuchUser = () => new AppError("not_found", "There is no such user.");

async function requireUser(tx: Transaction, id: string) {
  const user = await lockUser(tx, id);
  if (!user) throw noSuchUser();
  return user;
}

/** An id that could be one. @throws AppError `not_found`, because none that could not is known */
function requireId(id: string): string {
  if (!isUuid(id)) throw noSuchUser();
  return id;
}

/** @param email as the email schema leaves it @throws AppError `not_found` */
export async function findUser(email: string): Promise<UserRecord> {
  const [user] = await query((db) =>
    db
      .select(USER_COLUMNS)
      .from(users)
      .where(eq(sql`lower(${users.email})`, email)),
  );
  if (!user) throw noSuchUser();
  return user;
}

/** @throws AppError `not_found` */
export async function getUser(id: string): Promise<UserRecord> {
  requireId(id);
  const [user] = await query((db) => db.select(USER_COLUMNS).from(users).where(eq(users.id, id)));
  if (!user) throw noSuchUser();
  return user;
}

type NewUser = { email: string; name: string; password: string; role?: "user" | "admin" | undefined };

/**
 * Creates an active user.
 * @throws AppError `email_taken`, `overloaded`, and as {@link requireStanding}; the signal's reason
 */
export async function createUser({
  actor,
  user: { password, email, name, role = "user" },
  caller,
  signal,
}: {
  actor: Manager;
  user: NewUser;
  caller: Caller;
  signal?: AbortSignal | undefined;
}): Promise<UserRecord> {
  const passwordHash = await hashPassword(password, signal);
  return await explainingFaults(() =>
    transaction(async (tx) => {
      const values = { id: uuidv7(), email, name, role, passwordHash };
      const [created] = await tx.insert(users).values(values).returning(USER_COLUMNS);
      if (!created) throw new Error("An insert returned no row.");
      await recordAct(tx, { act: "user.created", actor, target: userTarget(created), detail: { role }, caller });
      await requireStanding(tx, { actor });
      return created;
    }),
  );
}

/**
 * Changes a user; deactivation ends their sessions. What is the same already is no change.
 * @throws AppError `not_found`, `email_taken`, `last_admin`, and as {@link requireStanding}
 */
export async function updateUser({
  actor,
  id,
  changes,
  caller,
}: {
  actor: Manager;
  id: string;
  changes: UserChanges;
  caller: Caller;
}): Promise<UserRecord> {
  const { email, name, role, status } = changes;
  requireId(id);
  return await explainingFaults(() =>
    transaction(async (tx) => {
      const user = await requireUser(tx, id);
      const wanted = { email, name, role, status };
      const saved = await saveChanges(tx, { user, changes: wanted, act: "user.updated", actor, caller });
      if (saved.status !== "active") await endSessionsOf(tx, id);
      await requireStanding(tx, { actor, before: user });
      return saved;
    }),
  );
}

type OnUser = { actor: Manager; id: string; caller: Caller };

/** Deletes a user with their sessions, tokens and usage. @throws AppError `not_found`, `last_admin`, and as {@link requireStanding} */
export async function deleteUser({ actor, id, caller }: OnUser): Promise<void> {
  requireId(id);
  await explainingFaults(() =>
    transaction(async (tx) => {
      const user = await requireUser(tx, id);
      await tx.delete(users).where(eq(users.id, id));
      await recordAct(tx, { act: "user.deleted", actor, target: userTarget(user), caller });
      await requireStanding(tx, { actor, before: user });
    }),
  );
}

/**
 * Sets a user's password and ends all their sessions.
 * @throws AppError `not_found`, `overloaded`, and as {@link requireStanding}; the signal's reason
 */
export async function setPassword({
  actor,
  id,
  password,
  caller,
  signal,
}: OnUser & { password: string; signal?: AbortSignal | undefined }): Promise<void> {
  requireId(id);
  const passwordHash = await hashPassword(password, signal);
  await transaction(async (tx) => {
    const user = await requireUser(tx, id);
    await tx.update(users).set({ passwordHash, updatedAt: sql`now()` }).where(eq(users.id, id));
    await endSessionsOf(tx, id);
    await recordAct(tx, { act: "password.set", actor, target: userTarget(user), caller });
    await requireStanding(tx, { actor, before: user });
  });
}

/** @throws AppError `not_found` where there is no such user, or none whose tokens the actor may know of */
async function requireTokenOwner({ actor, id }: { actor: Manager; id: string }): Promise<void> {
  requireId(id);
  if (actor.kind !== "operator" && !maySeeTokensOf(actor, id)) throw noSuchUser();
  await getUser(id);
}

/** A user's tokens. @throws AppError `not_found` where there is no such user, or none that the actor may know of */
export async function listTokensOf(asked: { actor: Manager; id: string }): Promise<TokenRecord[]> {
  await requireTokenOwner(asked);
  return await listTokens(asked.id);
}

/** What a user's tokens have rendered lately. @throws AppError `not_found`, as {@link listTokensOf} */
export async function listTokenUsageOf(asked: { actor: Manager; id: string }): Promise<TokenUsageRecord[]> {
  await requireTokenOwner(asked);
  return await listTokenUsage(asked.id);
}
