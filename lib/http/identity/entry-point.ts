import { type AccessConfig, accessConfig, accessEnabled, trustsProxy } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import type { ReceivedRequest } from "#lib/http/server/request-context.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
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

const forwarded = processState("forwarded-without-trust", () => ({ isLogged: false }));

/** Whether something in front of the service says that it passed the request on. */
export function isForwardedRequest({ headers }: ReceivedRequest): boolean {
  return FORWARDING_HEADERS.some((name) => headers.has(name));
}

/** Warns of the first request that comes through a proxy which is not trusted: then all clients count as one address. */
export function warnOfUntrustedProxy(received: ReceivedRequest): void {
  if (forwarded.get().isLogged || !accessEnabled() || !isForwardedRequest(received) || isProxyTrusted()) return;
  forwarded.get().isLogged = true;
  log().warn(
    "Requests come through a proxy that is not trusted: all clients count as one address, and one of them can use up the logins of all. Set SERVICE_TRUST_PROXY=true if the proxy overwrites X-Forwarded-For, -Host and -Proto.",
  );
}

/** A faulty configuration is reported elsewhere, and is no reason for this warning. */
function isProxyTrusted(): boolean {
  try {
    return trustsProxy();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return true;
  }
}

/** How a request reached the service, for an operator who debugs sign-in. */
export function entryPointOf(received: ReceivedRequest): EntryPoint {
  const isForwarded = isForwardedRequest(received);
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

/** Whether browsers reach the service over https, as far as the configuration trusts what a request says. */
export function isOverHttps(received: ReceivedRequest): boolean {
  return entryPointOf(received).way === "https";
}
