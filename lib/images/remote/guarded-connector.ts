import { constants } from "node:crypto";
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { DEFAULT_CIPHERS } from "node:tls";
import { buildConnector } from "undici";
import { isAllowedIp } from "./allowed-ip.ts";
import { firstAddresses } from "./first-addresses.ts";
import type { FindAddresses } from "./lookups.ts";

/** In a key exchange of finite fields, the server chooses how large the numbers are: with 10,000 bits, it takes the thread a second. */
const QUICK_CIPHERS = `${DEFAULT_CIPHERS}:!kDHE`;

/** Thrown instead of connecting to an IP address that is not allowed. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
}

/** Checks the IP addresses of a host and connects to exactly those, so that no second lookup matters. */
function guardedLookup(find: FindAddresses, isPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    const found = (all: LookupAddress[]) => {
      const addresses = firstAddresses(all);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowedIp(address, isPrivate)))
        return callback(new AddressRefused(), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    find(hostname).then(found, (error) => callback(error, []));
  };
}

export type ConnectOptions = {
  /** Whether the host may be in a private network. */
  isPrivate: boolean;
  find: FindAddresses;
  /** Milliseconds for one connection attempt. */
  timeoutMs: number;
  /** Certificate authorities in PEM that replace those of the machine. */
  ca?: string | undefined;
  /** Closes the connections, also those that are still being opened. */
  signal?: AbortSignal | undefined;
};

/** Opens connections to allowed IP addresses only, for host names and for IP addresses in any notation. */
export function guardedConnector({ isPrivate, find, timeoutMs, ca, signal }: ConnectOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(find, isPrivate),
    timeout: timeoutMs,
    allowH2: false,
    ciphers: QUICK_CIPHERS,
    // A server could ask for handshakes without end.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    maxCachedSessions: 0,
    // NODE_TLS_REJECT_UNAUTHORIZED could switch it off otherwise.
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
    ...(signal && { signal }),
  });
  return (options, callback) => {
    // An IP address needs no lookup, so the guarded lookup would never check it.
    if (isIP(options.hostname) !== 0 && !isAllowedIp(options.hostname, isPrivate)) callback(new AddressRefused(), null);
    else connect(options, callback);
  };
}
