import { accessConfig, accessEnabled, isDevelopment } from "#lib/config.ts";
import { detail, type Finding } from "./finding.ts";

/** How the request for this report came in. */
export type Reached = {
  /** Where it was sent to, by what the configuration believes, or why that cannot be told. */
  at: { origin: string } | { fault: string };
  /** Whether it carries headers with which a proxy says where it was sent to. */
  isForwarded: boolean;
};

/** Browsers keep a `Secure` cookie of these over plain http as well. */
const LOCAL = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|[^:/]+\.localhost)(?::\d+)?$/;

/** Whether a browser that reached the service like this does not keep the session cookie. */
export function losesCookie({ at }: Reached): boolean {
  return !isDevelopment() && "origin" in at && at.origin.startsWith("http:") && !LOCAL.test(at.origin);
}

function modeOf({ publicOrigin, trustProxy }: ReturnType<typeof accessConfig>): string {
  if (publicOrigin) return "fixed (SERVICE_PUBLIC_ORIGIN)";
  return trustProxy ? "what the trusted proxy says (SERVICE_TRUST_PROXY)" : "the request's own Host";
}

const NAME_ORIGIN = "Set SERVICE_PUBLIC_ORIGIN to the https address that people use";
const TRUST = "or SERVICE_TRUST_PROXY=true where a proxy of yours sets X-Forwarded-Host and X-Forwarded-Proto";

function judge(reached: Reached, config: ReturnType<typeof accessConfig>): Finding {
  const { at, isForwarded } = reached;
  if ("fault" in at) {
    const summary = `Nobody could sign in the way this page was asked for: ${at.fault}.`;
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
  return { state: "ok", summary: `Changes are accepted from the pages at ${at.origin}.` };
}

/** Whether people can sign in the way that this report was asked for. In open mode nobody has to. @throws ConfigError */
export function lookAtOrigin(reached: Reached): Finding {
  const asked = [
    detail("This request was sent to", "origin" in reached.at ? reached.at.origin : null),
    detail("Through a proxy", reached.isForwarded),
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
