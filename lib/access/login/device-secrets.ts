import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { databaseName } from "#lib/db/connection-options.ts";
import { query } from "#lib/db/database.ts";
import { throttleSecret } from "#lib/db/schema.ts";
import { processState } from "#lib/process-state.ts";
import { isCookieSecret } from "../secrets.ts";

/** The first half of a secret is random. The second half is a seal: a hash of the first with a key that only this service has. */
const HALF_BYTES = 16;

/** How many accounts a browser is known to at a time. A list without a limit would grow for ever in the headers of logins. */
export const ACCOUNTS_PER_DEVICE_COOKIE = 4;

/** The key of each database that this process has used. It never changes. */
const keys = processState("device-keys", () => new Map<string, string>());

/** @throws AppError `unavailable` */
async function sealKey(): Promise<string> {
  const database = databaseName();
  const known = keys.get().get(database);
  if (known !== undefined) return known;
  const [row] = await query((db) => db.select({ secret: throttleSecret.secret }).from(throttleSecret), "logins");
  if (!row) throw new Error("The table throttle_secret has no row.");
  keys.get().set(database, row.secret);
  return row.secret;
}

function sealOf(random: Buffer, key: string): Buffer {
  return createHmac("sha256", key).update("device ").update(random).digest().subarray(0, HALF_BYTES);
}

/** A new secret for a device cookie: 32 bytes as base64url. @throws AppError `unavailable` */
export async function createDeviceSecret(): Promise<string> {
  const random = randomBytes(HALF_BYTES);
  return Buffer.concat([random, sealOf(random, await sealKey())]).toString("base64url");
}

/**
 * Whether this service made a device secret. An invented one costs no query, however many an attacker sends.
 * @throws AppError `unavailable`
 */
async function isDeviceSecret(text: string): Promise<boolean> {
  if (!isCookieSecret(text)) return false;
  const bytes = Buffer.from(text, "base64url");
  return timingSafeEqual(bytes.subarray(HALF_BYTES), sealOf(bytes.subarray(0, HALF_BYTES), await sealKey()));
}

/** Between the secrets of a cookie. Base64url does not have it, and cookies may. */
const SEPARATOR = ".";

/**
 * The secrets of a device cookie that this service made, one for each account that its browser has signed in to.
 * @throws AppError `unavailable`
 */
export async function readDeviceCookie(cookie: string | undefined): Promise<string[]> {
  const texts = (cookie ?? "").split(SEPARATOR, ACCOUNTS_PER_DEVICE_COOKIE);
  const areOwn = await Promise.all(texts.map(isDeviceSecret));
  return texts.filter((_, i) => areOwn[i]);
}

/** The value of a device cookie. The accounts that signed in last stay in it. @param secrets newest first */
export function writeDeviceCookie(secrets: string[]): string {
  return [...new Set(secrets)].slice(0, ACCOUNTS_PER_DEVICE_COOKIE).join(SEPARATOR);
}
