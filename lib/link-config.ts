import { loadVariables, readVariables, variable } from "./config.ts";
import { ConfigError, type ConfigFault } from "./environment/config-error.ts";
import type { LinkKey } from "./environment/link-keys.ts";
import { credentialFaults, type StoreConfig, storeAt } from "./environment/object-store.ts";
import { LINKS, STORE } from "./environment/variables.ts";

/** Whether links are served. A bad value counts: each link is then answered 503. */
export function linksEnabled(): boolean {
  return variable(LINKS.keys.variable) !== undefined;
}

/** The keys that links may be signed with. The first one signs new links. @throws ConfigError */
export function linkKeys(): LinkKey[] {
  return loadVariables(LINKS).keys ?? [];
}

/** Without its address, nothing of a store is read: the credentials of a machine may be those of another program. */
function hasStore(): boolean {
  return variable(STORE.address.variable) !== undefined;
}

/** The faults of the store. */
export function storeFaults(): ConfigFault[] {
  if (!hasStore()) return [];
  const { values, faults } = readVariables(STORE);
  const { address, accessKeyId, secretAccessKey } = values;
  return faults.length > 0 ? faults : credentialFaults(address, { accessKeyId, secretAccessKey });
}

/** The store of pictures; undefined where there is none. @throws ConfigError */
export function storeConfig(): StoreConfig | undefined {
  if (!hasStore()) return undefined;
  const faults = storeFaults();
  if (faults.length > 0) throw new ConfigError(faults);
  const { address, ...own } = loadVariables(STORE);
  return address && storeAt(address, own);
}
