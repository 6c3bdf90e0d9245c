import { and, desc, eq, gt, inArray, ne, notInArray, sql } from "drizzle-orm";
import { type Executor, query } from "#lib/db/database.ts";
import { devices, sessions, users } from "#lib/db/schema.ts";
import { DEVICE_LIFETIME_SECONDS, DEVICES_PER_USER } from "../access-limits.ts";
import { newId } from "../new-id.ts";
import { hashSecret } from "../secrets.ts";
import { readDeviceCookie, writeDeviceCookie } from "./device-secrets.ts";

/*
 * A device is a browser that has signed in to an account before (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies"). Its cookie is no credential: it only gives the browser an allowance of tries that no one else can use up. It has
 * a secret for each account: two people may share a browser, and it stays known to both accounts.
 */

/** One lifetime from now, on the database's clock, which also checks it. */
const expiry = sql`now() + ${DEVICE_LIFETIME_SECONDS} * interval '1 second'`;

/**
 * The device of a cookie that this account's login has left in a browser.
 * @param email as the email schema returns it
 * @returns its id; undefined when the cookie is unknown, expired or another account's
 * @throws AppError `unavailable`
 */
export async function findDevice(email: string, cookie: string | undefined): Promise<string | undefined> {
  const secrets = await readDeviceCookie(cookie);
  if (secrets.length === 0) return undefined;
  const [found] = await query(
    (db) =>
      db
        .select({ id: devices.id })
        .from(devices)
        .innerJoin(users, eq(users.id, devices.userId))
        .where(
          and(
            inArray(devices.secretHash, secrets.map(hashSecret)),
            gt(devices.expiresAt, sql`now()`),
            eq(sql`lower(${users.email})`, email),
          ),
        )
        .orderBy(desc(devices.id))
        .limit(1),
    "owners",
  );
  return found?.id;
}

/** Deletes the devices above {@link DEVICES_PER_USER}: first those whose cookie never came back, then the least recently used. */
async function limitDevices(tx: Executor, { userId, added }: { userId: string; added: string }): Promise<void> {
  const kept = tx
    .select({ id: devices.id })
    .from(devices)
    .where(and(eq(devices.userId, userId), ne(devices.id, added)))
    .orderBy(sql`${devices.usedAt} desc nulls last, ${devices.createdAt} desc, ${devices.id} desc`)
    .limit(DEVICES_PER_USER - 1);
  await tx.delete(devices).where(and(eq(devices.userId, userId), ne(devices.id, added), notInArray(devices.id, kept)));
}

type Remembering = {
  userId: string;
  known: string | undefined;
  cookie: string | undefined;
  /** For a new device, from {@link createDeviceSecret}. */
  newSecret: string;
};

/** Gives a known device another lifetime. @returns the hash of its secret; undefined when the device is gone */
async function renewDevice(tx: Executor, userId: string, id: string): Promise<Buffer | undefined> {
  const [renewed] = await tx
    .update(devices)
    .set({ usedAt: sql`now()`, expiresAt: expiry })
    .where(and(eq(devices.id, id), eq(devices.userId, userId)))
    .returning({ secretHash: devices.secretHash });
  return renewed?.secretHash;
}

/**
 * Remembers the browser of a successful login. A known device keeps its secret for another lifetime. The transaction must
 * hold the lock of the user's row.
 * @returns the device, and the value for its cookie
 */
export async function rememberDevice(
  tx: Executor,
  { userId, known, cookie, newSecret }: Remembering,
): Promise<{ id: string; cookie: string }> {
  const presented = await readDeviceCookie(cookie);
  const hash = known === undefined ? undefined : await renewDevice(tx, userId, known);
  const secret = hash && presented.find((text) => hashSecret(text).equals(hash));
  if (known !== undefined && secret !== undefined)
    return { id: known, cookie: writeDeviceCookie([secret, ...presented]) };
  const id = newId();
  await tx.insert(devices).values({ id, userId, secretHash: hashSecret(newSecret), expiresAt: expiry });
  await limitDevices(tx, { userId, added: id });
  return { id, cookie: writeDeviceCookie([newSecret, ...presented]) };
}

/**
 * Forgets the devices of a user whose password has changed. With a session, the device of that session stays.
 * The transaction must hold the lock of the user's row.
 */
export async function forgetDevices(tx: Executor, userId: string, sessionId?: string): Promise<void> {
  const own = sql`select ${sessions.deviceId} from ${sessions} where ${sessions.id} = ${sessionId}`;
  const isOther = sessionId === undefined ? undefined : sql`${devices.id} is distinct from (${own})`;
  await tx.delete(devices).where(and(eq(devices.userId, userId), isOther));
}
