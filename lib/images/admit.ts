import type { ImageHost } from "#lib/image-hosts.ts";
import { type ImageFault, WANTED_FORMATS } from "./image-fault.ts";
import { MAX_ADDRESS_CHARS } from "./image-limits.ts";

/** An address that may be asked, and the entry that says so. */
export type Admitted = { url: URL; host: ImageHost };

const QUOTED_CHARS = 80;

/** Written as browsers and this server read it alike: no white space, no control character, no backslash, no sign-in. */
const PLAIN_ADDRESS = /^https?:\/\/[^\s\\@/?#\p{Cc}][^\s\\\p{Cc}]*$/iu;

const NOT_ALLOWED = "which is none of the hosts that the operator allows with SERVICE_IMAGE_HOSTS.";

const SWITCHED_OFF =
  'Got the address of an image, and addresses are not accepted: the operator has to name the hosts in SERVICE_IMAGE_HOSTS. Want a "data:" URL.';

function isOf(url: URL, { protocol, hostname, isWildcard, port }: ImageHost): boolean {
  const isNamed = isWildcard ? url.hostname.endsWith(`.${hostname}`) : url.hostname === hostname;
  return isNamed && url.protocol === protocol && url.port === port;
}

/** Whether the address of an image is one that may be asked. Nothing is looked up for it. */
export function admitAddress(address: string, hosts: ImageHost[]): Admitted | ImageFault {
  const url = address.length <= MAX_ADDRESS_CHARS && PLAIN_ADDRESS.test(address) ? URL.parse(address) : null;
  if (!url || url.username || url.password) {
    const wanted = `an address such as https://example.com/image.png, or a "data:" URL with base64 of a ${WANTED_FORMATS} image`;
    return { fault: `Got "${address.slice(0, QUOTED_CHARS)}", want ${wanted}.` };
  }
  if (hosts.length === 0) return { fault: SWITCHED_OFF };
  const host = hosts.find((candidate) => isOf(url, candidate));
  if (!host) return { fault: `Got an image of ${url.origin.slice(0, QUOTED_CHARS)}, ${NOT_ALLOWED}` };
  return { url, host };
}
