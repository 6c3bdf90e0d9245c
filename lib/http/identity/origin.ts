import type { AccessConfig } from "#lib/config.ts";
import { QUOTED_CHARS } from "#lib/http/http-limits.ts";
import type { Arrival } from "#lib/http/server/request-context.ts";
import { type Place, plainHost, plainOrigin, plainScheme, type Scheme } from "./authority.ts";

const SCHEMES: Scheme[] = ["https", "http"];

type OriginConfig = Pick<AccessConfig, "publicOrigin" | "trustProxy">;

/** Thrown and caught in this file alone: why a request is not believed to come from the service's own pages. */
class Mismatch extends Error {
  /** What disagrees with what, without a word of the request: no answer repeats what anybody may have written. */
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

/** The headers of one claim. */
const FORWARDED_PARTS = "X-Forwarded-*";

/** What one kind of forwarding header says of where a request was sent to, as it was sent. */
type Claim = { header: string; host: string | null; proto: string | null };

/** RFC 7239, with a bare port allowed beside a host because many send it so. A comma begins another element, and is refused. */
const FORWARDED_PAIR = /^[ \t]*([\w-]+)=(?:([\w!#$%&'*+.^`|~:[\]-]+)|"([^"\\,;]*)")[ \t]*$/;

/** @throws Mismatch for a list, and for what is no element at all */
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

/** Which header of a claim names another place. */
function strayHeader({ header, proto }: Claim, places: Place[]): string {
  if (header !== FORWARDED_PARTS) return header;
  const isSchemeRight = proto === null || places.some(({ scheme }) => scheme === plainScheme(proto));
  return isSchemeRight ? "X-Forwarded-Host" : "X-Forwarded-Proto";
}

type Agreement = {
  places: Place[];
  /** What says so. */
  by: string;
};

/** @throws Mismatch where forwarding headers name another place than any of `places` */
function requireAgreement(claims: Claim[], { places, by }: Agreement): void {
  for (const claim of claims) {
    if (places.some((place) => agrees(claim, place))) continue;
    const got = `host ${quoted(claim.host)} and protocol ${quoted(claim.proto)}`;
    throw new Mismatch(
      `${strayHeader(claim, places)} says otherwise than ${by}`,
      `${claim.header} says ${got}, want ${places.map(spelled).join(" or ")}`,
    );
  }
}

/** Where the connection itself leads, under a scheme. */
function placeOfHost(headers: Headers, scheme: Scheme): Place[] {
  const host = plainHost(headers.get("host") ?? "", scheme);
  return host === undefined ? [] : [{ scheme, host }];
}

function proxyFault({ host, proto }: Pick<Claim, "host" | "proto">): string {
  if (host === null) return "X-Forwarded-Host is missing";
  if (proto === null) return "X-Forwarded-Proto is missing";
  return plainScheme(proto) ? "X-Forwarded-Host is not one host" : "X-Forwarded-Proto is neither http nor https";
}

/** Where a trusted proxy was asked. @throws Mismatch unless it says so exactly once */
function placeOfProxy(claims: Claim[]): Place {
  const { host, proto } = claims[0] ?? { host: null, proto: null };
  const scheme = plainScheme(proto ?? "");
  const plain = scheme && plainHost(host ?? "", scheme);
  if (scheme && plain) return { scheme, host: plain };
  throw new Mismatch(
    `${proxyFault({ host, proto })}, and SERVICE_TRUST_PROXY is true`,
    `X-Forwarded-Host is ${quoted(host)} and X-Forwarded-Proto is ${quoted(proto)}, want one host and one of http and https, because SERVICE_TRUST_PROXY is true`,
  );
}

/** The one place whose pages may change anything. @throws Mismatch */
function ownPlace({ headers, encrypted }: Arrival, { publicOrigin, trustProxy }: OriginConfig): Place {
  const claims = claimsOf(headers);
  const configured = publicOrigin === undefined ? undefined : plainOrigin(publicOrigin);
  if (configured) {
    // A proxy may pass on the host that it was asked for or the one that it asks for, and end the encryption.
    const places = SCHEMES.flatMap((scheme) => [{ ...configured, scheme }, ...placeOfHost(headers, scheme)]);
    requireAgreement(claims, { places, by: "SERVICE_PUBLIC_ORIGIN and Host" });
    return configured;
  }
  const own = trustProxy ? placeOfProxy(claims) : placeOfHost(headers, encrypted ? "https" : "http")[0];
  if (own === undefined)
    throw new Mismatch("Host is missing or no host", `Host is ${quoted(headers.get("host"))}, want a host`);
  requireAgreement(claims, {
    places: [own],
    by: trustProxy ? "X-Forwarded-Host and X-Forwarded-Proto" : "Host and the connection",
  });
  return own;
}

/**
 * Where a request was sent to, as its own pages would name it, or why that cannot be known: words for the operator, none of
 * which are the request's.
 */
export function reachedAt(arrival: Arrival, config: OriginConfig): { origin: string } | { fault: string } {
  try {
    return { origin: spelled(ownPlace(arrival, config)) };
  } catch (error) {
    if (error instanceof Mismatch) return { fault: error.outline };
    throw error;
  }
}

/** Whether a request asks for the configured origin by its name. A proxy in front may ask by another. */
export function asksByName({ headers }: Arrival, publicOrigin: string): boolean {
  const configured = plainOrigin(publicOrigin);
  return ["host", "x-forwarded-host"].some(
    (name) => configured !== undefined && plainHost(headers.get(name) ?? "", configured.scheme) === configured.host,
  );
}

/** What a browser says of where a request comes from. `none` is its user, by the address bar or a bookmark. */
const OWN_SITES = ["same-origin", "none"];

/**
 * Why a request cannot be taken for one of the service's own pages: a sentence for the operator, never for the client.
 * Undefined where it can: its `Origin` is the configured one, or else the one that the request was sent to.
 */
export function originFault(arrival: Arrival, config: OriginConfig): string | undefined {
  const { headers } = arrival;
  const [sent, site] = [headers.get("origin"), headers.get("sec-fetch-site")];
  try {
    if (site !== null && !OWN_SITES.includes(site)) return `Sec-Fetch-Site is ${quoted(site)}, want same-origin`;
    const own = spelled(ownPlace(arrival, config));
    const origin = sent === null ? undefined : plainOrigin(sent);
    return origin && spelled(origin) === own ? undefined : `Origin is ${quoted(sent)}, want ${own}`;
  } catch (error) {
    if (error instanceof Mismatch) return error.message;
    throw error;
  }
}
