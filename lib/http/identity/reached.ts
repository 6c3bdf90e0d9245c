import { type AccessConfig, accessConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import type { Arrival } from "#lib/http/server/request-context.ts";
import type { Reached } from "#lib/status/origin.ts";
import { asksByName, reachedAt } from "./origin.ts";

const FORWARDING = ["x-forwarded-host", "x-forwarded-proto", "x-forwarded-for", "forwarded"];

/** Browsers keep a `Secure` cookie of these over plain http as well. */
const LOCAL = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|[^:/]+\.localhost)(?::\d+)?$/;

function way(arrival: Arrival, config: AccessConfig): Reached["way"] {
  const at = reachedAt(arrival, config);
  if ("fault" in at) return at;
  if (at.origin.startsWith("https:")) return "https";
  return LOCAL.test(at.origin) ? "local" : "http";
}

/** How a request came in, for whoever wonders why it is not believed. */
export function reachedBy(arrival: Arrival): Reached {
  const isForwarded = FORWARDING.some((name) => arrival.headers.has(name));
  try {
    const config = accessConfig();
    const { publicOrigin } = config;
    const isNamed = publicOrigin === undefined ? null : asksByName(arrival, publicOrigin);
    return { way: way(arrival, config), isForwarded, isNamed };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { way: { fault: "the variables that say where it is cannot be used" }, isForwarded, isNamed: null };
  }
}
