import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { adminConfig } from "#lib/config.ts";
import { type Executor, query, transaction } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { log } from "#lib/log.ts";
import * as fields from "#lib/schemas/user.ts";
import { USER_COLUMNS } from "./actor.ts";
import { LOCAL_CALLER, recordAct, userTarget } from "./audit-trail.ts";
import { newId } from "./new-id.ts";
import { hashPassword } from "./passwords.ts";

const NAME = "Administrator";

async function hasUsers(db: Executor): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** Warns when no user is an active administrator: the first user was created as an ordinary one, and the variables have no effect. */
async function warnWithoutAdministrator(): Promise<void> {
  const isAdministrator = and(eq(users.role, "admin"), eq(users.status, "active"));
  const found = await query((db) => db.select({ id: users.id }).from(users).where(isAdministrator).limit(1));
  if (found.length === 0)
    log().warn(
      "There are users, but no active administrator. Make a user an administrator: npm run users -- set-role <email> admin",
    );
}

/** Creates the administrator unless another replica has created a user meanwhile. @returns whether it did */
async function createFirst({ email, passwordHash }: { email: string; passwordHash: string }): Promise<boolean> {
  return await transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('platen.first_admin'))`);
    if (await hasUsers(tx)) return false;
    const values = { id: newId(), email, name: NAME, role: "admin" as const, passwordHash };
    const [admin] = await tx.insert(users).values(values).returning(USER_COLUMNS);
    if (!admin) throw new Error("An insert returned no row.");
    const actor = { kind: "operator" } as const;
    await recordAct(tx, { act: "admin.bootstrapped", actor, target: userTarget(admin), caller: LOCAL_CALLER });
    return true;
  });
}

/** The administrator that the environment describes. Logs what is missing or invalid. */
function readAdministrator(): { email: string; password: string } | undefined {
  const { email, password, faults } = adminConfig();
  for (const { variable, message } of faults) log().error(`No administrator was created: ${variable}: ${message}`);
  if (faults.length > 0) return undefined;
  if (email === undefined || password === undefined) {
    log().warn(
      "There are no users yet. Create the first administrator: npm run users -- create <email> --admin " +
        "(or set SERVICE_ADMIN_EMAIL and SERVICE_ADMIN_PASSWORD and restart).",
    );
    return undefined;
  }
  const parsed = z.object({ email: fields.email, password: fields.password }).safeParse({ email, password });
  if (parsed.success) return parsed.data;
  log().error("No administrator was created: SERVICE_ADMIN_EMAIL or SERVICE_ADMIN_PASSWORD cannot be used.");
  return undefined;
}

/**
 * Creates the first administrator from the environment when there is no user. When several replicas start, only one of
 * them creates it. Without values in the environment it logs what to do.
 * @throws AppError `unavailable`
 */
export async function createFirstAdministrator(): Promise<void> {
  if (await query(hasUsers)) return await warnWithoutAdministrator();
  const administrator = readAdministrator();
  if (!administrator) return;
  const passwordHash = await hashPassword(administrator.password);
  if (await createFirst({ email: administrator.email, passwordHash }))
    log().info("The first administrator was created from SERVICE_ADMIN_EMAIL and SERVICE_ADMIN_PASSWORD.");
}
