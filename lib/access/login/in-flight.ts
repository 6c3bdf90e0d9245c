import { addressNetwork } from "#lib/addresses/address-group.ts";
import { AppError } from "#lib/errors.ts";
import { processState } from "#lib/process-state.ts";
import {
  LOGIN_FAILED_MS,
  LOGIN_PLACES_LEFT,
  LOGIN_RETRY_SECONDS,
  LOGINS_AT_ONCE,
  LOGINS_AT_ONCE_PER_ADDRESS,
  LOGINS_AT_ONCE_PER_DEVICE,
} from "../access-limits.ts";

/** Logins by network or device: those that run at this moment, and those that failed in the last {@link LOGIN_FAILED_MS}. */
type InFlight = { total: number; running: Map<string, number>; failed: Map<string, number> };

const empty = (): InFlight => ({ total: 0, running: new Map(), failed: new Map() });

/** Those of known browsers are counted apart, so that a flood of others takes no place from them. */
const flights = processState("logins-in-flight", () => ({ known: empty(), unknown: empty() }));

const RETRY = { headers: { "Retry-After": String(LOGIN_RETRY_SECONDS) } };

type Place = {
  /** The client's. All of an IPv6 /48 counts as one, because one client may have all of it. */
  address: string | null;
  /** The id of a device that the account knows. */
  device: string | undefined;
};

function count(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const sum = (counts.get(name) ?? 0) + change;
  if (sum > 0) counts.set(name, sum);
  else counts.delete(name);
}

/** Whether a login failed because of its client, not because the service could not answer. */
const isOfClient = (error: unknown) =>
  error instanceof AppError && (error.code === "unauthorized" || error.code === "rate_limited");

/**
 * Names with many logins leave places free, so that they do not keep everyone else out.
 * @throws AppError when no other login of this name may run
 */
function requirePlace({ total, running, failed }: InFlight, name: string, most: number): void {
  const own = running.get(name) ?? 0;
  const places = LOGINS_AT_ONCE - total;
  const counted = Math.min(own + (failed.get(name) ?? 0), LOGINS_AT_ONCE_PER_ADDRESS - 1);
  if (own >= most || (counted > 0 && places <= counted * LOGIN_PLACES_LEFT))
    throw new AppError("rate_limited", "Too many attempts at the same moment. Please try again shortly.", RETRY);
  if (places <= 0)
    throw new AppError("overloaded", "Too many people are signing in at the moment. Please try again shortly.", RETRY);
}

/**
 * Runs a login unless too many run already.
 * @throws AppError `rate_limited` for too many of one network or device, `overloaded` for too many in all; otherwise what `act` throws
 */
export async function limitInFlight<T>({ address, device }: Place, act: () => Promise<T>): Promise<T> {
  const flight = flights.get()[device === undefined ? "unknown" : "known"];
  const name = device ?? addressNetwork(address);
  requirePlace(flight, name, device === undefined ? LOGINS_AT_ONCE_PER_ADDRESS : LOGINS_AT_ONCE_PER_DEVICE);
  const { running, failed } = flight;
  count(running, name, 1);
  flight.total++;
  try {
    return await act();
  } catch (error) {
    if (isOfClient(error)) {
      count(failed, name, 1);
      setTimeout(() => count(failed, name, -1), LOGIN_FAILED_MS).unref();
    }
    throw error;
  } finally {
    flight.total--;
    count(running, name, -1);
  }
}
