import { eq, sql } from "drizzle-orm";
import { query, type Transaction, transaction } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/schemas/scalars.ts";
import { type Caller, USER_COLUMNS, type UserRecord } from "./actor.ts";
import { recordAct, userTarget } from "./audit-trail.ts";
import { deleteRowsOf, hasManyRows } from "./delete-in-batches.ts";
import { clearLoginLimits } from "./login/admission.ts";
import { forgetDevices } from "./login/devices.ts";
import { newId } from "./new-id.ts";
import { hashPassword } from "./passwords.ts";
import { maySeeTokensOf } from "./policies.ts";
import { endSessionsOf } from "./sessions.ts";
import type { Reader, Selection } from "./tokens/long-lists.ts";
import { listTokenUsage, type TokenUsageRecord } from "./tokens/token-usage.ts";
import { listTokens, type TokenRecord } from "./tokens.ts";
import { type AdminActor, lockUser, requireStillAdministrator } from "./transaction-guards.ts";
import { saveChanges, translateRefusals, type UserChanges } from "./user-changes.ts";

const noSuchUser = () => new AppError("not_found", "There is no such user.");

/**
 * @returns the id in lower case. The database takes both, and ids are compared with those that it returns
 * @throws AppError `not_found` for a text that is not a UUID: no user has such an id
 */
function requireId(id: string): string {
  if (!isId(id)) throw noSuchUser();
  return id.toLowerCase();
}

/** @param email as the email schema returns it @throws AppError `not_found` */
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
 * @throws AppError `email_taken`, `overloaded`, and as {@link requireStillAdministrator}; the signal's reason
 */
export async function createUser({
  actor,
  user: { password, email, name, role = "user" },
  caller,
  signal,
}: {
  actor: AdminActor;
  user: NewUser;
  caller: Caller;
  signal?: AbortSignal | undefined;
}): Promise<UserRecord> {
  const passwordHash = await hashPassword(password, signal);
  return await translateRefusals(() =>
    transaction(async (tx) => {
      const values = { id: newId(), email, name, role, passwordHash };
      const [created] = await tx.insert(users).values(values).returning(USER_COLUMNS);
      if (!created) throw new Error("An insert returned no row.");
      await recordAct(tx, { act: "user.created", actor, target: userTarget(created), detail: { role }, caller });
      await requireStillAdministrator(tx, actor);
      return created;
    }),
  );
}

type LockedUser = NonNullable<Awaited<ReturnType<typeof lockUser>>>;
type Change<T> = (tx: Transaction, user: LockedUser) => Promise<T>;

/**
 * Changes one user. The change is rolled back when the actor is no longer an administrator.
 * @throws AppError `not_found`, `last_admin`, and as {@link requireStillAdministrator}
 */
async function changeManagedUser<T>(actor: AdminActor, id: string, change: Change<T>): Promise<T> {
  const ownId = actor.kind === "session" ? actor.user.id : undefined;
  const isSelf = requireId(id) === ownId;
  return await translateRefusals(() =>
    transaction(async (tx) => {
      const user = await lockUser(tx, id);
      if (!user) throw noSuchUser();
      // A change of oneself may end the session, so the check comes first. A change of another user may wait for a
      // lock, so the check comes last.
      if (isSelf) await requireStillAdministrator(tx, actor);
      const result = await change(tx, user);
      if (!isSelf) await requireStillAdministrator(tx, actor);
      return result;
    }),
  );
}

type OnUser = { actor: AdminActor; id: string; caller: Caller };

/**
 * Changes a user. Deactivation ends the user's sessions. Values that stay the same are not recorded.
 * @throws AppError `email_taken`, and as {@link changeManagedUser}
 */
export async function updateUser({
  actor,
  id,
  changes: { email, name, role, status },
  caller,
}: OnUser & { changes: UserChanges }): Promise<UserRecord> {
  const changes = { email, name, role, status };
  return await changeManagedUser(actor, id, async (tx, user) => {
    const saved = await saveChanges(tx, { user, changes, act: "user.updated", actor, caller });
    if (saved.status !== "active") await endSessionsOf(tx, id);
    return saved;
  });
}

/**
 * Deletes a user with their sessions, tokens and usage. A user with more rows than a transaction can delete in its time is
 * deactivated first. Then the rows are deleted in batches. If that breaks off, it can be repeated.
 * @throws AppError as {@link changeManagedUser}
 */
export async function deleteUser({ actor, id, caller }: OnUser): Promise<void> {
  const remove: Change<void> = async (tx, user) => {
    await tx.delete(users).where(eq(users.id, id));
    await recordAct(tx, { act: "user.deleted", actor, target: userTarget(user), caller });
  };
  if (!(await hasManyRows(requireId(id)))) return await changeManagedUser(actor, id, remove);
  await updateUser({ actor, id, changes: { status: "deactivated" }, caller });
  await deleteRowsOf(id);
  // Not checked again: who deletes themselves has no session any more.
  await changeManagedUser({ kind: "operator" }, id, remove);
}

/**
 * Sets a user's password, ends all their sessions and devices, and ends every limit on logins to the account.
 * @throws AppError `overloaded`, and as {@link changeManagedUser}; the signal's reason
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
  await changeManagedUser(actor, id, async (tx, user) => {
    await tx.update(users).set({ passwordHash, updatedAt: sql`now()` }).where(eq(users.id, id));
    await endSessionsOf(tx, id);
    await forgetDevices(tx, id);
    await clearLoginLimits(tx, user.email);
    await recordAct(tx, { act: "password.set", actor, target: userTarget(user), caller });
  });
}

/** Ends every limit on logins to a user's account. @throws AppError as {@link changeManagedUser} */
export async function unlockUser({ actor, id, caller }: OnUser): Promise<void> {
  await changeManagedUser(actor, id, async (tx, user) => {
    await clearLoginLimits(tx, user.email);
    await recordAct(tx, { act: "user.unlocked", actor, target: userTarget(user), caller });
  });
}

type OfTokens = Reader & { actor: AdminActor; id: string };

/** @throws AppError `not_found` when there is no such user, or when the actor may not see that user's tokens */
async function requireTokenOwner({ actor, id }: { actor: AdminActor; id: string }): Promise<void> {
  if (actor.kind !== "operator" && !maySeeTokensOf(actor, requireId(id))) throw noSuchUser();
  await getUser(id);
}

/** A user's tokens. @throws AppError as {@link requireTokenOwner} */
export async function listTokensOf(asked: OfTokens, selection?: Selection): Promise<TokenRecord[]> {
  await requireTokenOwner(asked);
  return await listTokens(asked.id, asked, selection);
}

/** How much a user's tokens have rendered lately. @throws AppError as {@link requireTokenOwner} */
export async function listTokenUsageOf(asked: OfTokens, selection?: Selection): Promise<TokenUsageRecord[]> {
  await requireTokenOwner(asked);
  return await listTokenUsage(asked.id, asked, selection);
}
