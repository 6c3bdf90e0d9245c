import type { ImageHost } from "#lib/image-hosts.ts";
import { type ImageFault, WANTED_FORMATS } from "../image-fault.ts";
import { MAX_ADDRESS_CHARS } from "../image-limits.ts";

/** A URL that images may be fetched from, and the operator's entry that allows it. */
export type AllowedUrl = { url: URL; host: ImageHost };

const QUOTED_CHARS = 80;

/** Excludes what URL parsers read differently: white space, control characters, backslashes and credentials. */
const PLAIN_URL = /^https?:\/\/[^\s\\@/?#\p{Cc}][^\s\\\p{Cc}]*$/iu;

const NOT_ALLOWED = "which is not among the hosts that the operator allows with SERVICE_IMAGE_HOSTS.";

const SWITCHED_OFF =
  'Got the address of an image, but addresses are not accepted: the operator has to name the hosts in SERVICE_IMAGE_HOSTS. Send a "data:" URL.';

function matches(url: URL, { protocol, hostname, isWildcard, port }: ImageHost): boolean {
  const isNamed = isWildcard ? url.hostname.endsWith(`.${hostname}`) : url.hostname === hostname;
  return isNamed && url.protocol === protocol && url.port === port;
}

/** Checks the address of an image against the allowed hosts. It does not look up the host. */
export function checkImageUrl(address: string, hosts: ImageHost[]): AllowedUrl | ImageFault {
  const url = address.length <= MAX_ADDRESS_CHARS && PLAIN_URL.test(address) ? URL.parse(address) : null;
  if (!url || url.username || url.password) {
    const wanted = `an address such as https://example.com/image.png, or a "data:" URL with base64 of a ${WANTED_FORMATS} image`;
    return { fault: `Got "${address.slice(0, QUOTED_CHARS)}", want ${wanted}.` };
  }
  if (hosts.length === 0) return { fault: SWITCHED_OFF };
  const host = hosts.find((candidate) => matches(url, candidate));
  if (!host) return { fault: `Got an image of ${url.origin.slice(0, QUOTED_CHARS)}, ${NOT_ALLOWED}` };
  return { url, host };
}
