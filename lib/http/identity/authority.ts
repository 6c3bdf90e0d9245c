import { isIPv6 } from "node:net";

const DEFAULT_PORTS = { http: 80, https: 443 };
const LARGEST_PORT = 65_535;

export type Scheme = keyof typeof DEFAULT_PORTS;

/** An origin as browsers write it: `host` is in lower case, and has a port unless that is the default of the scheme. */
export type Place = { scheme: Scheme; host: string };

const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/;
const HOST = /^(?:\[(?<v6>[^\]]*)\]|(?<name>[^:[\]]*))(?::(?<port>\d{1,5}))?$/;

/** A host with an optional port; undefined when invalid. A trailing dot stays: to browsers it is another host. */
export function plainHost(text: string, scheme: Scheme): string | undefined {
  const { v6, name = "", port } = HOST.exec(text.toLowerCase())?.groups ?? {};
  if (v6 === undefined ? !NAME.test(name) : !isIPv6(v6) || v6.includes("%")) return undefined;
  const number = port === undefined ? DEFAULT_PORTS[scheme] : Number(port);
  if (number > LARGEST_PORT) return undefined;
  return `${v6 === undefined ? name : `[${v6}]`}${number === DEFAULT_PORTS[scheme] ? "" : `:${number}`}`;
}

/** `http` or `https`, in any case; undefined for anything else, such as a list of both. */
export function plainScheme(text: string): Scheme | undefined {
  const scheme = text.toLowerCase();
  return scheme === "http" || scheme === "https" ? scheme : undefined;
}

/** The origin that `scheme://host:port` names; undefined for anything else, such as a path, a user, a list or `null`. */
export function plainOrigin(text: string): Place | undefined {
  const [, name = "", rest = ""] = /^(\w+):\/\/(.*)$/.exec(text) ?? [];
  const scheme = plainScheme(name);
  const host = scheme && plainHost(rest, scheme);
  return scheme && host ? { scheme, host } : undefined;
}
