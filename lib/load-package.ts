import { join } from "node:path";
import { PROJECT_DIR } from "./config.ts";

/**
 * Loads a package, or a file of one, when it is first needed: for those that take long to load and that most processes never use.
 * The bundler does not see what is loaded, so `next.config.ts` adds its files to deployments.
 * @param specifier a name, or a path from the folder of the project
 * @returns the exports of its module
 */
export function loadPackage<T>(specifier: string): T {
  // The bundler does not see a function that is obtained this way.
  const { createRequire } = process.getBuiltinModule("node:module");
  return createRequire(join(/* turbopackIgnore: true */ PROJECT_DIR, "package.json"))(specifier) as T;
}
