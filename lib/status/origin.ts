import { accessConfig, accessEnabled, hostConfig, isDevelopment } from "#lib/config.ts";
import type { StatusDetail } from "#lib/schemas/status-report.ts";
import { detail, type Finding } from "./finding.ts";

/** How the request for this report reached the service. It holds no text of the request, which a client can choose. */
export type EntryPoint = {
  /** The protocol, as far as the configuration trusts it, or why it is unknown. `local` is http to a loopback host. */
  way: "https" | "http" | "local" | { fault: string };
  /** Whether it carries forwarding headers of a proxy. */
  isForwarded: boolean;
  /** Whether it names the configured origin; `null` when none is configured. */
  isNamed: boolean | null;
  /** Why the clients of its proxy cannot be told apart; `null` when they can, or when it came through none. */
  sharedAddress: keyof typeof SHARED_ADDRESS | null;
};

const ONE_ADDRESS = "all clients count as one address, and one of them can use up the logins of all";

/** What operators are told of a proxy whose clients cannot be told apart. */
export const SHARED_ADDRESS = {
  untrusted: {
    summary: `The proxy in front is not trusted: ${ONE_ADDRESS}.`,
    remedy: "Set SERVICE_TRUST_PROXY=true if your proxy overwrites X-Forwarded-For, -Host and -Proto.",
  },
  unreadable: {
    summary: `The entry of X-Forwarded-For that counts is no address: ${ONE_ADDRESS}.`,
    remedy:
      "Let each proxy append the address of its client, not a word such as unknown or nothing after a comma, and set SERVICE_TRUST_PROXY to the number of proxies.",
  },
  unnamed: {
    summary: `X-Forwarded-For has fewer addresses than SERVICE_TRUST_PROXY says, or none: ${ONE_ADDRESS}.`,
    remedy:
      "Let the first proxy overwrite X-Forwarded-For and each further one append to it, and set SERVICE_TRUST_PROXY to their number.",
  },
};

/** True when a browser that reached the service like this drops the session cookie. */
export function losesCookie({ way }: EntryPoint): boolean {
  return !isDevelopment() && way === "http";
}

const WAYS = { https: "https", http: "http", local: "http, by a name of this machine" };

function modeOf({ publicOrigin, trustProxy }: ReturnType<typeof accessConfig>): string {
  if (publicOrigin) return "fixed (SERVICE_PUBLIC_ORIGIN)";
  return trustProxy ? "what the trusted proxy says (SERVICE_TRUST_PROXY)" : "the request's own Host";
}

const NAME_ORIGIN = "Set SERVICE_PUBLIC_ORIGIN to the https address of the service";
const TRUST = "or SERVICE_TRUST_PROXY=true if your proxy sets X-Forwarded-Host and X-Forwarded-Proto";

/** The pages whose changes are accepted. */
function ownPages({ publicOrigin, trustProxy }: ReturnType<typeof accessConfig>): string {
  if (publicOrigin) return `the pages at ${publicOrigin}`;
  return trustProxy ? "the pages of the host that the proxy names" : "the pages of the host that a request is sent to";
}

function judge(entryPoint: EntryPoint, config: ReturnType<typeof accessConfig>): Finding {
  const { way, sharedAddress } = entryPoint;
  if (typeof way === "object") {
    const summary = `Sign-in fails for requests like this one: ${way.fault}.`;
    return { state: "error", summary, remedy: `${NAME_ORIGIN}, ${TRUST}.` };
  }
  if (losesCookie(entryPoint)) {
    const summary = "The session cookie is Secure, and browsers drop it over plain http: sign-in does not last.";
    return { state: "error", summary, remedy: `Serve it over https. ${NAME_ORIGIN}, ${TRUST}.` };
  }
  if (sharedAddress !== null) return { state: "warning", ...SHARED_ADDRESS[sharedAddress] };
  return { state: "ok", summary: `Changes are accepted from ${ownPages(config)}.` };
}

/** Which hosts open mode answers to. They are the service's own names, which everyone who may read this uses. */
function lookAtHosts(asked: StatusDetail[]): Finding {
  const { names, publicOrigin, isChecked } = hostConfig();
  const own = publicOrigin === undefined ? [] : [new URL(publicOrigin).hostname];
  const named = [...new Set([...own, ...names])].filter((name) => name !== "localhost");
  const isAny = names.includes("*");
  const details = [
    detail("Names answered (SERVICE_HOSTS)", isAny ? "all" : named.join(", ") || "none"),
    detail("Always answered", "localhost, addresses, and names that public DNS cannot hold"),
    ...(isAny ? [] : [detail("Any other name gets", "421 misdirected_request")]),
    ...asked,
  ];
  const open = "Open mode: there is no sign-in, and no cookie is set.";
  if (!isAny) return { state: "ok", summary: `${open} A foreign host gets 421.`, details };
  if (isChecked) return { state: "ok", summary: `${open} The platform checks the host.`, details };
  const summary =
    "Open mode answers to every host: a foreign site whose name leads here can render in the browser of a visitor.";
  const remedy = "Set SERVICE_HOSTS to the names of this service, unless a proxy in front passes on no other.";
  return { state: "warning", summary, remedy, details };
}

/** Whether sign-in works for requests that come in like this one. In open mode, which hosts are answered. @throws ConfigError */
export function lookAtOrigin(entryPoint: EntryPoint): Finding {
  const { way, isForwarded, isNamed } = entryPoint;
  const asked = [
    isNamed === null
      ? detail("This request came over", typeof way === "object" ? null : WAYS[way])
      : detail("This request asked by the configured name", isNamed),
    detail("Through a proxy", isForwarded),
  ];
  if (!accessEnabled()) return lookAtHosts(asked);
  const config = accessConfig();
  const details = [
    detail("Origin", modeOf(config)),
    ...asked,
    detail("Proxy trusted", config.trustProxy),
    detail("Session cookie", isDevelopment() ? "HttpOnly, SameSite=Lax" : "HttpOnly, SameSite=Lax, Secure"),
  ];
  return { ...judge(entryPoint, config), details };
}
