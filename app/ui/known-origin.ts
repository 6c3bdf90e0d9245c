import { accessConfig, serverConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import type { KnownOrigin } from "./use-origin.ts";

/** Where the operator says that people reach the service. What is wrong with the variable is told at start and on `/status`. */
export function configuredOrigin(): string | undefined {
  try {
    return accessConfig().publicOrigin;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/**
 * Where a call by hand finds the service. A page never repeats the host that it was asked for: anybody may write there what
 * they like. Where none is configured the browser knows, and until it has spoken this machine stands there.
 */
export function knownOrigin(): KnownOrigin {
  return { configured: configuredOrigin(), fallback: `http://localhost:${serverConfig().port}` };
}
