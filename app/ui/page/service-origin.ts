import { accessConfig, serverConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import type { ServiceOrigin } from "./use-service-origin.ts";

/** The value of `SERVICE_PUBLIC_ORIGIN`, if it is valid. Faults are reported at start and on `/status`. */
export function configuredOrigin(): string | undefined {
  try {
    return accessConfig().publicOrigin;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/**
 * The origin for calls that a reader copies. Never the `Host` of the request: a client can put anything there. Without
 * a configured origin the browser fills in its own after hydration, and until then the page shows this machine.
 */
export function serviceOrigin(): ServiceOrigin {
  return { configured: configuredOrigin(), fallback: `http://localhost:${serverConfig().port}` };
}
