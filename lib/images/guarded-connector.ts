import { type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { buildConnector } from "undici";
import { isAllowedAddress } from "./allowed-address.ts";
import { CONCURRENT_LOOKUPS } from "./image-limits.ts";

/** Thrown instead of connecting to where an image may not come from. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
}

/** All addresses of a host, as the machine finds them: a hosts file and search domains count. */
export type FindAddresses = (hostname: string) => Promise<LookupAddress[]>;

const limitLookups = pLimit(CONCURRENT_LOOKUPS);

/** As a program of the machine would look a host up. */
export const findAddresses: FindAddresses = (hostname) =>
  limitLookups(() => promisify(lookup)(hostname, { all: true, order: "verbatim" }));

/** The connection is made to the very addresses that were checked, so that a second answer of the name server counts for nothing. */
function guardedLookup(find: FindAddresses, isPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    const found = (addresses: LookupAddress[]) => {
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowedAddress(address, isPrivate)))
        return callback(new AddressRefused(), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    find(hostname).then(found, (error) => callback(error, []));
  };
}

export type Connecting = {
  /** Whether the host may be in a private network. */
  isPrivate: boolean;
  find: FindAddresses;
  /** Milliseconds until a connection is given up. */
  timeoutMs: number;
  /** Certificate authorities to trust instead of the machine's, in PEM. */
  ca?: string | undefined;
};

/** Opens connections to allowed addresses only, whatever a host's name says, however an address is written. */
export function guardedConnector({ isPrivate, find, timeoutMs, ca }: Connecting): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(find, isPrivate),
    timeout: timeoutMs,
    allowH2: false,
    maxCachedSessions: 0,
    // A variable of the environment could switch it off.
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[(.*)\]$/, "$1");
    // Nothing is looked up for a literal, so nobody would have checked it.
    if (isIP(literal) !== 0 && !isAllowedAddress(literal, isPrivate)) callback(new AddressRefused(), null);
    else connect(options, callback);
  };
}
