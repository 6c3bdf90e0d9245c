import dns, { type LookupAddress, type LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";

/** The lookups that have not ended, by host and family of addresses. */
const underWay = new Map<string, Promise<LookupAddress[]>>();

function find(host: string, options: LookupOptions): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    dns.lookup(host, { ...options, all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}

function findOnce(host: string, options: LookupOptions): Promise<LookupAddress[]> {
  const key = `${host} ${options.family ?? 0}`;
  const started = underWay.get(key) ?? find(host, options).finally(() => underWay.delete(key));
  underWay.set(key, started);
  return started;
}

/**
 * Looks a host up once for all connections that are opened meanwhile. A lookup takes one of two threads of the process, and cannot be
 * interrupted: where name servers do not answer, it takes ten seconds or more. If each connection began its own, thousands would wait after
 * some minutes. The host would stay away until all of them had ended, and others with it.
 */
export const lookUpHost: LookupFunction = (host, options, callback) => {
  findOnce(host, options).then(
    (addresses) => {
      const [first] = addresses;
      if (options.all || !first) callback(null, addresses);
      else callback(null, first.address, first.family);
    },
    // Each gets an error of its own, because callers add properties to errors.
    (error: NodeJS.ErrnoException) => callback(Object.assign(new Error(error.message), error), []),
  );
};
