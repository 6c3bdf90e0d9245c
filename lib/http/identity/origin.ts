import type { AccessConfig } from "#lib/config.ts";
import { QUOTED_CHARS } from "#lib/http/http-limits.ts";
import type { ReceivedRequest } from "#lib/http/server/request-context.ts";
import { type Place, plainHost, plainOrigin, plainScheme, type Scheme } from "./authority.ts";

const SCHEMES: Scheme[] = ["https", "http"];

type OriginConfig = Pick<AccessConfig, "publicOrigin" | "trustProxy">;

/** The reason why an origin is not trusted. Thrown and caught in this file only. */
class Mismatch extends Error {
  /** The reason without text of the request: a response must not repeat such text. */
  readonly outline: string;

  constructor(outline: string, message: string) {
    super(message);
    this.outline = outline;
  }
}

function quoted(value: string | null): string {
  return value === null ? "missing" : JSON.stringify(value.slice(0, QUOTED_CHARS));
}

function spelled({ scheme, host }: Place): string {
  return `${scheme}://${host}`;
}

const FORWARDED_PARTS = "X-Forwarded-*";

/** The host and protocol that one kind of forwarding header names, unparsed. */
type Claim = { header: string; host: string | null; proto: string | null };

/** RFC 7239, but a host may have a port without quotes, which many proxies send. A comma starts another element, and does not match. */
const FORWARDED_PAIR = /^[ \t]*([\w-]+)=(?:([\w!#$%&'*+.^`|~:[\]-]+)|"([^"\\,;]*)")[ \t]*$/;

/** @throws Mismatch for a list and for a malformed element */
function forwardedClaim(text: string): Claim {
  const pairs = new Map<string, string>();
  for (const part of text.split(";")) {
    const [, name = "", token, inQuotes] = FORWARDED_PAIR.exec(part) ?? [];
    if (name === "" || pairs.has(name.toLowerCase()))
      throw new Mismatch("Forwarded is not one element", `Forwarded is ${quoted(text)}, want one element`);
    pairs.set(name.toLowerCase(), token ?? inQuotes ?? "");
  }
  return { header: "Forwarded", host: pairs.get("host") ?? null, proto: pairs.get("proto") ?? null };
}

function claimsOf(headers: Headers): Claim[] {
  const [host, proto, forwarded] = ["x-forwarded-host", "x-forwarded-proto", "forwarded"].map((name) =>
    headers.get(name),
  );
  const claims: Claim[] = [{ header: FORWARDED_PARTS, host: host ?? null, proto: proto ?? null }];
  return typeof forwarded === "string" ? [...claims, forwardedClaim(forwarded)] : claims;
}

function agrees({ host, proto }: Claim, place: Place): boolean {
  return (
    (proto === null || plainScheme(proto) === place.scheme) &&
    (host === null || plainHost(host, place.scheme) === place.host)
  );
}

/** The name of the header that disagrees with `places`. */
function wrongHeader({ header, proto }: Claim, places: Place[]): string {
  if (header !== FORWARDED_PARTS) return header;
  const isSchemeRight = proto === null || places.some(({ scheme }) => scheme === plainScheme(proto));
  return isSchemeRight ? "X-Forwarded-Host" : "X-Forwarded-Proto";
}

type Agreement = {
  places: Place[];
  /** The source of `places`, for messages. */
  by: string;
};

/** @throws Mismatch where a claim names none of `places` */
function requireAgreement(claims: Claim[], { places, by }: Agreement): void {
  for (const claim of claims) {
    if (places.some((place) => agrees(claim, place))) continue;
    const got = `host ${quoted(claim.host)} and protocol ${quoted(claim.proto)}`;
    throw new Mismatch(
      `${wrongHeader(claim, places)} disagrees with ${by}`,
      `${claim.header} says ${got}, want ${places.map(spelled).join(" or ")}`,
    );
  }
}

/** The place that the Host header names, under a scheme. */
function placeOfHost(headers: Headers, scheme: Scheme): Place[] {
  const host = plainHost(headers.get("host") ?? "", scheme);
  return host === undefined ? [] : [{ scheme, host }];
}

function proxyFault({ host, proto }: Pick<Claim, "host" | "proto">): string {
  if (host === null) return "X-Forwarded-Host is missing";
  if (proto === null) return "X-Forwarded-Proto is missing";
  return plainScheme(proto) ? "X-Forwarded-Host is not one host" : "X-Forwarded-Proto is neither http nor https";
}

/** The place that a trusted proxy names. @throws Mismatch unless it names exactly one */
function placeOfProxy(claims: Claim[]): Place {
  const { host, proto } = claims[0] ?? { host: null, proto: null };
  const scheme = plainScheme(proto ?? "");
  const plain = scheme && plainHost(host ?? "", scheme);
  if (scheme && plain) return { scheme, host: plain };
  throw new Mismatch(
    `${proxyFault({ host, proto })}, and SERVICE_TRUST_PROXY trusts a proxy`,
    `X-Forwarded-Host is ${quoted(host)} and X-Forwarded-Proto is ${quoted(proto)}, want one host and one of http and https, because SERVICE_TRUST_PROXY trusts a proxy`,
  );
}

/** The place whose pages may send mutations. @throws Mismatch */
function ownPlace({ headers, encrypted }: ReceivedRequest, { publicOrigin, trustProxy }: OriginConfig): Place {
  const claims = claimsOf(headers);
  const configured = publicOrigin === undefined ? undefined : plainOrigin(publicOrigin);
  if (configured) {
    // A proxy may forward the public host or its own, and may terminate TLS.
    const places = SCHEMES.flatMap((scheme) => [{ ...configured, scheme }, ...placeOfHost(headers, scheme)]);
    requireAgreement(claims, { places, by: "SERVICE_PUBLIC_ORIGIN and Host" });
    return configured;
  }
  const own = trustProxy ? placeOfProxy(claims) : placeOfHost(headers, encrypted ? "https" : "http")[0];
  if (own === undefined)
    throw new Mismatch("Host is missing or invalid", `Host is ${quoted(headers.get("host"))}, want a host`);
  requireAgreement(claims, {
    places: [own],
    by: trustProxy ? "X-Forwarded-Host and X-Forwarded-Proto" : "Host and the connection",
  });
  return own;
}

/** The origin that a request was sent to, or the reason why it is unknown. The reason holds no text of the request. */
export function targetOrigin(received: ReceivedRequest, config: OriginConfig): { origin: string } | { fault: string } {
  try {
    return { origin: spelled(ownPlace(received, config)) };
  } catch (error) {
    if (error instanceof Mismatch) return { fault: error.outline };
    throw error;
  }
}

/** Whether a request names the host of the configured origin. A proxy may use another host. */
export function namesPublicOrigin({ headers }: ReceivedRequest, publicOrigin: string): boolean {
  const configured = plainOrigin(publicOrigin);
  return ["host", "x-forwarded-host"].some(
    (name) => configured !== undefined && plainHost(headers.get(name) ?? "", configured.scheme) === configured.host,
  );
}

/** `Sec-Fetch-Site` of requests that other sites cannot cause. `none` means the address bar or a bookmark. */
const OWN_SITES = ["same-origin", "none"];

/** The reason why a browser says that another site sent a request. Browsers say it over https and to `localhost`. */
export function foreignFetchSite({ headers }: ReceivedRequest): string | undefined {
  const site = headers.get("sec-fetch-site");
  return site === null || OWN_SITES.includes(site) ? undefined : `Sec-Fetch-Site is ${quoted(site)}, want same-origin`;
}

/**
 * The reason why a request does not count as sent by the service's own pages. It is for the log, never for the client.
 * Undefined when `Origin` is the configured origin or, if none is configured, the origin that the request was sent to.
 */
export function originFault(received: ReceivedRequest, config: OriginConfig): string | undefined {
  const { headers } = received;
  const sent = headers.get("origin");
  const site = foreignFetchSite(received);
  if (site !== undefined) return site;
  try {
    const own = spelled(ownPlace(received, config));
    const origin = sent === null ? undefined : plainOrigin(sent);
    return origin && spelled(origin) === own ? undefined : `Origin is ${quoted(sent)}, want ${own}`;
  } catch (error) {
    if (error instanceof Mismatch) return error.message;
    throw error;
  }
}
