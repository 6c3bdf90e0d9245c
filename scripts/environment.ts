import nextEnv from "@next/env";
import { PROJECT_DIR } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { explainFileFault } from "#lib/file-faults.ts";

/** Next only prints which file it cannot read, and goes on with the others. Without one of them, accounts may be off. */
function refuse(_message: string, error: unknown): never {
  throw new ConfigError([{ variable: ".env", message: explainFileFault(error) ?? String(error) }]);
}

/**
 * Reads the `.env` files as Next does, with variables of the environment taking precedence. It is done before any
 * variable is read, so that the port and the report of faults include them. Next then does not read the files again.
 *
 * @throws ConfigError when a file cannot be read
 */
export function loadEnvironment(mode: "production" | "development"): void {
  Object.assign(process.env, { NODE_ENV: mode, NEXT_TELEMETRY_DISABLED: "1" });
  nextEnv.loadEnvConfig(PROJECT_DIR, mode === "development", { info: () => undefined, error: refuse });
}
