import { AppError } from "#lib/errors.ts";
import { processState } from "#lib/process-state.ts";
import {
  LOGIN_RETRY_SECONDS,
  LOGINS_AT_ONCE,
  LOGINS_AT_ONCE_PER_ADDRESS,
  LOGINS_AT_ONCE_PER_DEVICE,
} from "../access-limits.ts";

/** Logins that run at this moment, by address or device. */
type InFlight = { total: number; byName: Map<string, number> };

const empty = (): InFlight => ({ total: 0, byName: new Map() });

/** Those of known browsers are counted apart, so that a flood of others takes no place from them. */
const running = processState("logins-in-flight", () => ({ known: empty(), unknown: empty() }));

const RETRY = { headers: { "Retry-After": String(LOGIN_RETRY_SECONDS) } };

type Place = {
  /** As `addressGroup` names it. */
  address: string;
  /** The id of a device that the account knows. */
  device: string | undefined;
};

/** How many logins of this name run. @throws AppError when no other one may */
function requirePlace({ total, byName }: InFlight, name: string, most: number): number {
  const own = byName.get(name) ?? 0;
  if (own >= most)
    throw new AppError("rate_limited", "Too many attempts at the same moment. Please try again shortly.", RETRY);
  if (total >= LOGINS_AT_ONCE)
    throw new AppError("overloaded", "Too many people are signing in at the moment. Please try again shortly.", RETRY);
  return own;
}

/**
 * Runs a login unless too many run already.
 * @throws AppError `rate_limited` for too many of one address or device, `overloaded` for too many in all; otherwise what `act` throws
 */
export async function limitInFlight<T>({ address, device }: Place, act: () => Promise<T>): Promise<T> {
  const flight = running.get()[device === undefined ? "unknown" : "known"];
  const name = device ?? address;
  const most = device === undefined ? LOGINS_AT_ONCE_PER_ADDRESS : LOGINS_AT_ONCE_PER_DEVICE;
  const { byName } = flight;
  byName.set(name, requirePlace(flight, name, most) + 1);
  flight.total++;
  try {
    return await act();
  } finally {
    flight.total--;
    const left = (byName.get(name) ?? 1) - 1;
    if (left > 0) byName.set(name, left);
    else byName.delete(name);
  }
}
