import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeployment, PROJECT_DIR } from "#lib/config.ts";

/** The package of the bundled Chromium. Named by path, because its `exports` hide its files and a bundler would trace all of them. */
export const CHROMIUM_PACKAGE_DIR = join(
  /* turbopackIgnore: true */ PROJECT_DIR,
  "node_modules",
  "@sparticuz",
  "chromium",
);

/** Whether this process is meant to render. On Vercel, only one of the functions is deployed with Chromium. */
export function rendersHere(): boolean {
  return !isDeployment() || existsSync(join(/* turbopackIgnore: true */ CHROMIUM_PACKAGE_DIR, "bin"));
}
