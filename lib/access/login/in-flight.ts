import { AppError } from "#lib/errors.ts";
import { processState } from "#lib/process-state.ts";
import { LOGIN_RETRY_SECONDS, LOGINS_AT_ONCE, LOGINS_AT_ONCE_PER_ADDRESS } from "../access-limits.ts";

/**
 * Logins that run at this moment, by address. Those that come with a device cookie are counted apart, whether the cookie is
 * valid or not, so that a flood without cookies takes no place from known browsers.
 */
type InFlight = { total: number; byAddress: Map<string, number> };

const empty = (): InFlight => ({ total: 0, byAddress: new Map() });

const running = processState("logins-in-flight", () => ({ withCookie: empty(), without: empty() }));

const RETRY = { headers: { "Retry-After": String(LOGIN_RETRY_SECONDS) } };

/** The number of the address's own logins. @throws AppError when there is no place for another one */
function requirePlace({ total, byAddress }: InFlight, address: string): number {
  const own = byAddress.get(address) ?? 0;
  if (own >= LOGINS_AT_ONCE_PER_ADDRESS)
    throw new AppError("rate_limited", "Too many attempts at the same moment. Please try again shortly.", RETRY);
  if (total >= LOGINS_AT_ONCE)
    throw new AppError("overloaded", "Too many people are signing in at the moment. Please try again shortly.", RETRY);
  return own;
}

/**
 * Runs a login unless too many run already. A refused one has touched no database.
 * @param address as `addressGroup` names it
 * @throws AppError `rate_limited` for too many from one address, `overloaded` for too many in all; otherwise what `act` throws
 */
export async function limitInFlight<T>(
  { address, hasCookie }: { address: string; hasCookie: boolean },
  act: () => Promise<T>,
): Promise<T> {
  const flight = running.get()[hasCookie ? "withCookie" : "without"];
  const { byAddress } = flight;
  byAddress.set(address, requirePlace(flight, address) + 1);
  flight.total++;
  try {
    return await act();
  } finally {
    flight.total--;
    const left = (byAddress.get(address) ?? 1) - 1;
    if (left > 0) byAddress.set(address, left);
    else byAddress.delete(address);
  }
}
