import { accessConfig, accessEnabled, isDevelopment } from "#lib/config.ts";
import { detail, type Finding } from "./finding.ts";

/** How the request for this report came in. Nothing in it is text of the request, in which anybody may write what they like. */
export type Reached = {
  /** Over what, by what the configuration believes, or why that cannot be told. `local` is http by a name of the machine itself. */
  way: "https" | "http" | "local" | { fault: string };
  /** Whether it carries headers with which a proxy says where it was sent to. */
  isForwarded: boolean;
  /** Whether it asks for the configured origin by its name; `null` where none is configured. */
  isNamed: boolean | null;
};

/** Whether a browser that reached the service like this does not keep the session cookie. */
export function losesCookie({ way }: Reached): boolean {
  return !isDevelopment() && way === "http";
}

const WAYS = { https: "https", http: "http", local: "http, by a name of this machine" };

function modeOf({ publicOrigin, trustProxy }: ReturnType<typeof accessConfig>): string {
  if (publicOrigin) return "fixed (SERVICE_PUBLIC_ORIGIN)";
  return trustProxy ? "what the trusted proxy says (SERVICE_TRUST_PROXY)" : "the request's own Host";
}

const NAME_ORIGIN = "Set SERVICE_PUBLIC_ORIGIN to the https address that people use";
const TRUST = "or SERVICE_TRUST_PROXY=true where a proxy of yours sets X-Forwarded-Host and X-Forwarded-Proto";

/** Which pages may change something. */
function ownPages({ publicOrigin, trustProxy }: ReturnType<typeof accessConfig>): string {
  if (publicOrigin) return `the pages at ${publicOrigin}`;
  return trustProxy ? "the pages of the host that the proxy names" : "the pages of the host that a request is sent to";
}

function judge(reached: Reached, config: ReturnType<typeof accessConfig>): Finding {
  const { way, isForwarded } = reached;
  if (typeof way === "object") {
    const summary = `Nobody could sign in the way this page was asked for: ${way.fault}.`;
    return { state: "error", summary, remedy: `${NAME_ORIGIN}, ${TRUST}.` };
  }
  if (losesCookie(reached)) {
    const summary =
      "The session cookie is Secure, and a browser keeps none over plain http: nobody can stay signed in.";
    return { state: "error", summary, remedy: `Serve it over https. ${NAME_ORIGIN}, ${TRUST}.` };
  }
  if (isForwarded && !config.publicOrigin && !config.trustProxy) {
    const summary = "A proxy stands in front that is not trusted: all clients count as one address.";
    return { state: "warning", summary, remedy: `${NAME_ORIGIN}, ${TRUST}.` };
  }
  return { state: "ok", summary: `Changes are accepted from ${ownPages(config)}.` };
}

/** Whether people can sign in the way that this report was asked for. In open mode nobody has to. @throws ConfigError */
export function lookAtOrigin(reached: Reached): Finding {
  const { way, isForwarded, isNamed } = reached;
  const asked = [
    isNamed === null
      ? detail("This request came over", typeof way === "object" ? null : WAYS[way])
      : detail("This request asked by the configured name", isNamed),
    detail("Through a proxy", isForwarded),
  ];
  if (!accessEnabled()) {
    return { state: "ok", summary: "Open mode: nobody signs in, and no cookie is set.", details: asked };
  }
  const config = accessConfig();
  const details = [
    detail("Origin", modeOf(config)),
    ...asked,
    detail("Proxy trusted", config.trustProxy),
    detail("Session cookie", isDevelopment() ? "HttpOnly, SameSite=Lax" : "HttpOnly, SameSite=Lax, Secure"),
  ];
  return { ...judge(reached, config), details };
}
