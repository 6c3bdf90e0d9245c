import { type AccessConfig, accessConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import type { ReceivedRequest } from "#lib/http/server/request-context.ts";
import type { EntryPoint } from "#lib/status/origin.ts";
import { namesPublicOrigin, targetOrigin } from "./origin.ts";

const FORWARDING_HEADERS = ["x-forwarded-host", "x-forwarded-proto", "x-forwarded-for", "forwarded"];

/** Browsers keep a `Secure` cookie of these origins over plain http too. */
const LOCAL_ORIGIN = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|[^:/]+\.localhost)(?::\d+)?$/;

function wayOf(received: ReceivedRequest, config: AccessConfig): EntryPoint["way"] {
  const target = targetOrigin(received, config);
  if ("fault" in target) return target;
  if (target.origin.startsWith("https:")) return "https";
  return LOCAL_ORIGIN.test(target.origin) ? "local" : "http";
}

/** How a request reached the service, for an operator who debugs sign-in. */
export function entryPointOf(received: ReceivedRequest): EntryPoint {
  const isForwarded = FORWARDING_HEADERS.some((name) => received.headers.has(name));
  try {
    const config = accessConfig();
    const { publicOrigin } = config;
    const isNamed = publicOrigin === undefined ? null : namesPublicOrigin(received, publicOrigin);
    return { way: wayOf(received, config), isForwarded, isNamed };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { way: { fault: "the variables that say where it is cannot be used" }, isForwarded, isNamed: null };
  }
}
