import { sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { adminConfig } from "#lib/config.ts";
import { type Executor, query, transaction } from "#lib/db/database.ts";
import { users } from "#lib/db/schema.ts";
import { log } from "#lib/log.ts";
import * as fields from "#lib/schemas/user.ts";
import { USER_COLUMNS } from "./actor.ts";
import { ON_THE_MACHINE, recordAct, userTarget } from "./audit.ts";
import { hashPassword } from "./passwords.ts";

const NAME = "Administrator";

async function hasUsers(db: Executor): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).limit(1)).length > 0;
}

/** Whoever comes first creates; those who waited for the lock find a user and leave. @returns whether it was this one */
async function createFirst({ email, passwordHash }: { email: string; passwordHash: string }): Promise<boolean> {
  return await transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('platen.first_admin'))`);
    if (await hasUsers(tx)) return false;
    const values = { id: uuidv7(), email, name: NAME, role: "admin" as const, passwordHash };
    const [admin] = await tx.insert(users).values(values).returning(USER_COLUMNS);
    if (!admin) throw new Error("An insert returned no row.");
    const actor = { kind: "operator" } as const;
    await recordAct(tx, { act: "admin.bootstrapped", actor, target: userTarget(admin), caller: ON_THE_MACHINE });
    return true;
  });
}

/** What the environment asks for, if it does. What is wrong with it is in the log. */
function wantedAdministrator(): { email: string; password: string } | undefined {
  const { email, password, faults } = adminConfig();
  for (const { variable, message } of faults) log().error(`No administrator was created: ${variable}: ${message}`);
  if (faults.length > 0) return undefined;
  if (email === undefined || password === undefined) {
    log().warn(
      "There are no users yet. Make the first administrator: npm run users -- create <email> --admin " +
        "(or set SERVICE_ADMIN_EMAIL and SERVICE_ADMIN_PASSWORD and start again).",
    );
    return undefined;
  }
  const wanted = z.object({ email: fields.email, password: fields.password }).safeParse({ email, password });
  if (wanted.success) return wanted.data;
  log().error("No administrator was created: SERVICE_ADMIN_EMAIL or SERVICE_ADMIN_PASSWORD cannot be used.");
  return undefined;
}

/**
 * Creates the first administrator from the environment while there is no user at all, once whatever the number of
 * replicas; otherwise it says in the log what there is to do.
 * @throws AppError `unavailable`
 */
export async function bootstrapAdministrator(): Promise<void> {
  if (await query(hasUsers)) return;
  const wanted = wantedAdministrator();
  if (!wanted) return;
  const passwordHash = await hashPassword(wanted.password);
  if (await createFirst({ email: wanted.email, passwordHash }))
    log().info("The first administrator was created from SERVICE_ADMIN_EMAIL and SERVICE_ADMIN_PASSWORD.");
}
