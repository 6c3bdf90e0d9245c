/** Where images may be fetched from: a host, or with `isWildcard` every sub-domain of it. */
export type ImageHost = {
  protocol: "http:" | "https:";
  /** As `URL` writes it. */
  hostname: string;
  isWildcard: boolean;
  /** Empty for the port of the protocol. */
  port: string;
  /** Whether the host may be in a private network. */
  isPrivate: boolean;
};

const ENTRY = /^(?:(https?):\/\/)?(\*\.)?([^/@?#\\\s*]*[^/@?#\\\s*:])$/i;

/** At least two labels, and no address: below `com`, anybody has a name. */
const DOMAIN = /^(?:[^.[\]]+\.)+[^.\d[\]][^.[\]]*$/;

/**
 * One host as an operator writes it, such as `images.example.com`, `*.example.com` or `http://minio:9000`.
 * @returns undefined for what is none. In a private network each host is named: whoever owns a sub-domain could choose where it leads.
 */
export function readImageHost(entry: string, isPrivate: boolean): ImageHost | undefined {
  const [, scheme = "https", star, host = ""] = ENTRY.exec(entry) ?? [];
  const url = URL.parse(`${scheme.toLowerCase()}://${host}`);
  if (!url || (star && (isPrivate || !DOMAIN.test(url.hostname)))) return undefined;
  const protocol = url.protocol === "http:" ? "http:" : "https:";
  return { protocol, hostname: url.hostname, isWildcard: star !== undefined, port: url.port, isPrivate };
}
