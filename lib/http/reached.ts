import { accessConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/fault.ts";
import type { Arrival } from "#lib/http/exchange.ts";
import { reachedAt } from "#lib/http/origin.ts";
import type { Reached } from "#lib/status/origin.ts";

const FORWARDING = ["x-forwarded-host", "x-forwarded-proto", "x-forwarded-for", "forwarded"];

function place(arrival: Arrival): Reached["at"] {
  try {
    return reachedAt(arrival, accessConfig());
  } catch (error) {
    if (error instanceof ConfigError) return { fault: "the variables that say where it is cannot be used" };
    throw error;
  }
}

/** How a request came in, for whoever wonders why it is not believed. */
export function reachedBy(arrival: Arrival): Reached {
  return { at: place(arrival), isForwarded: FORWARDING.some((name) => arrival.headers.has(name)) };
}
