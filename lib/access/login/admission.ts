import { addressGroup, addressNetwork } from "#lib/addresses/address-group.ts";
import type { Executor } from "#lib/db/database.ts";
import {
  LOGIN_PER_ACCOUNT,
  LOGIN_PER_ADDRESS,
  LOGIN_PER_DEVICE,
  LOGIN_PER_NETWORK,
  LOGIN_PER_PAIR,
  LOGIN_RESERVES,
  LOGIN_TRIES_SEEN,
} from "../access-limits.ts";
import { type Attempt, carryAttempts, clearAttempts, countAttempt, takeAttempt } from "../throttle.ts";

type Try = {
  /** As the email schema returns it. The account may not exist. */
  email: string;
  address: string | null;
  /** The id of a device that the account knows. */
  device: string | undefined;
};

/** A try at an account, from wherever it comes. */
const attemptAt = (email: string): Attempt => ({ allowance: LOGIN_PER_ACCOUNT, name: email, account: email });

/**
 * Admits a login of a browser that the account does not know. The address comes first and is not given its attempt back
 * when the account refuses, so that an address that is refused all the time runs out of attempts.
 */
async function admitUnknown(email: string, address: string | null): Promise<Attempt[]> {
  const [group, network] = [addressGroup(address), addressNetwork(address)];
  const [byAddress, seen, byPair] = [
    { allowance: LOGIN_PER_ADDRESS, name: group },
    { allowance: LOGIN_TRIES_SEEN, name: `${email} ${network}`, account: email },
    { allowance: LOGIN_PER_PAIR, name: `${email} ${group}`, account: email },
  ];
  // An IPv4 address is its own network.
  const byNetwork = group === network ? [] : [{ allowance: LOGIN_PER_NETWORK, name: network }];
  await takeAttempt(byAddress);
  for (const attempt of byNetwork) await takeAttempt(attempt);
  const tries = await countAttempt(seen);
  await takeAttempt(byPair);
  const reserve = LOGIN_RESERVES[tries - 1] ?? 0;
  const byAccount = { ...attemptAt(email), reserve };
  await takeAttempt(byAccount);
  return [byAddress, ...byNetwork, seen, byPair, byAccount];
}

/**
 * Counts a login before its password is verified (decision 14).
 * @returns what the right password gives back
 * @throws AppError `rate_limited` with Retry-After, `unavailable`
 */
export async function admitLogin({ email, address, device }: Try): Promise<Attempt[]> {
  if (device === undefined) return await admitUnknown(email, address);
  const byDevice = { allowance: LOGIN_PER_DEVICE, name: device, account: email };
  await takeAttempt(byDevice);
  return [byDevice];
}

/**
 * Keeps the limit of an account whose email changes. Otherwise a thief of a session could change the email again and again, and
 * guess the password without end.
 */
export async function carryLoginLimit(tx: Executor, { from, to }: { from: string; to: string }): Promise<void> {
  await carryAttempts(tx, attemptAt(from), attemptAt(to));
}

/**
 * Ends every limit on logins to an account. The limits of addresses end too, because the account's owner may share one with
 * the attacker.
 */
export async function clearLoginLimits(tx: Executor, email: string): Promise<void> {
  await clearAttempts(tx, email);
}
