import { type AccessConfig, accessConfig, accessEnabled, trustsProxy } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import type { ReceivedRequest } from "#lib/http/server/request-context.ts";
import { log } from "#lib/log.ts";
import { processState } from "#lib/process-state.ts";
import { type EntryPoint, SHARED_ADDRESS } from "#lib/status/origin.ts";
import { forwardedClient, forwardedEntry } from "./caller.ts";
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

const shared = processState("shared-address", () => ({ logged: new Set<EntryPoint["sharedAddress"]>() }));

/** Whether something in front of the service says that it passed the request on. */
export function isForwardedRequest({ headers }: ReceivedRequest): boolean {
  return FORWARDING_HEADERS.some((name) => headers.has(name));
}

/** A faulty configuration is reported elsewhere, and tells nothing of the proxy. */
function sharedAddressOf(received: ReceivedRequest): EntryPoint["sharedAddress"] {
  if (!isForwardedRequest(received)) return null;
  try {
    if (!trustsProxy()) return "untrusted";
    if (forwardedClient(received) !== undefined) return null;
    return forwardedEntry(received) === undefined ? "unnamed" : "unreadable";
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return null;
  }
}

/** Warns, once for each reason, of a request that comes through a proxy whose clients cannot be told apart. */
export function warnOfSharedAddress(received: ReceivedRequest): void {
  if (!accessEnabled()) return;
  const [reason, { logged }] = [sharedAddressOf(received), shared.get()];
  if (reason === null || logged.has(reason)) return;
  logged.add(reason);
  log().warn(`${SHARED_ADDRESS[reason].summary} ${SHARED_ADDRESS[reason].remedy}`);
}

/** How a request reached the service, for an operator who debugs sign-in. */
export function entryPointOf(received: ReceivedRequest): EntryPoint {
  const [isForwarded, sharedAddress] = [isForwardedRequest(received), sharedAddressOf(received)];
  try {
    const config = accessConfig();
    const { publicOrigin } = config;
    const isNamed = publicOrigin === undefined ? null : namesPublicOrigin(received, publicOrigin);
    return { way: wayOf(received, config), isForwarded, isNamed, sharedAddress };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const way = { fault: "the variables that say where it is cannot be used" };
    return { way, isForwarded, isNamed: null, sharedAddress };
  }
}

/** Whether browsers reach the service over https, as far as the configuration trusts what a request says. */
export function isOverHttps(received: ReceivedRequest): boolean {
  return entryPointOf(received).way === "https";
}
