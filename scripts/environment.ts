import nextEnv from "@next/env";
import { PROJECT_DIR } from "#lib/config.ts";

/**
 * Puts what the `.env` files say under what the environment says, as Next would, but before anything is read: otherwise
 * the port and the report of faults would not know what the routes know later. Next finds that it is done and reads none.
 */
export function loadEnvironment(mode: "production" | "development"): void {
  Object.assign(process.env, { NODE_ENV: mode, NEXT_TELEMETRY_DISABLED: "1" });
  nextEnv.loadEnvConfig(PROJECT_DIR, mode === "development");
}
