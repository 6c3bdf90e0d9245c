/** A host that images may be fetched from, or with `isWildcard` every subdomain of it. */
export type ImageHost = {
  protocol: "http:" | "https:";
  /** In the notation of `URL`. */
  hostname: string;
  isWildcard: boolean;
  /** Empty for the default port of the protocol. */
  port: string;
  /** Whether the host may be in a private network. */
  isPrivate: boolean;
};

const ENTRY = /^(?:(https?):\/\/)?(\*\.)?([^/@?#\\\s*]*[^/@?#\\\s*:])$/i;

/** At least two labels and not an IP address. A wildcard such as `*.com` would allow any host. */
const DOMAIN = /^(?:[^.[\]]+\.)+[^.\d[\]][^.[\]]*$/;

/**
 * Parses one host as an operator writes it, such as `images.example.com`, `*.example.com` or `http://minio:9000`.
 * Wildcards are refused for private networks, because the owner of a subdomain could point it at any machine.
 * @returns undefined for an invalid entry
 */
export function readImageHost(entry: string, isPrivate: boolean): ImageHost | undefined {
  const [, scheme = "https", star, host = ""] = ENTRY.exec(entry) ?? [];
  const url = URL.parse(`${scheme.toLowerCase()}://${host}`);
  if (!url || (star && (isPrivate || !DOMAIN.test(url.hostname)))) return undefined;
  const protocol = url.protocol === "http:" ? "http:" : "https:";
  return { protocol, hostname: url.hostname, isWildcard: star !== undefined, port: url.port, isPrivate };
}
