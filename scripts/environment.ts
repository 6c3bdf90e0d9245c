import nextEnv from "@next/env";
import { PROJECT_DIR } from "#lib/config.ts";

/**
 * Reads the `.env` files as Next does, with variables of the environment taking precedence. It is done before any
 * variable is read, so that the port and the report of faults include them. Next then does not read the files again.
 */
export function loadEnvironment(mode: "production" | "development"): void {
  Object.assign(process.env, { NODE_ENV: mode, NEXT_TELEMETRY_DISABLED: "1" });
  nextEnv.loadEnvConfig(PROJECT_DIR, mode === "development");
}
