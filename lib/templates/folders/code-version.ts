import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_DIR } from "#lib/config.ts";
import { processState } from "#lib/process-state.ts";
import { filesBelow } from "../template-files.ts";
import { existing, hashFiles } from "./hash-files.ts";

/**
 * A hash of the sources. A deployment without them has the id of its build instead, and one without both has no version. A few files of
 * `lib` may be there without the others, such as the one of the thread that colours code.
 */
function readVersion(): string | undefined {
  const at = (...names: string[]) => join(/* turbopackIgnore: true */ PROJECT_DIR, ...names);
  const hash = createHash("sha256");
  if (existsSync(at("lib", "templates", "load-template.ts"))) {
    const packages = [at("package-lock.json"), at(".platen", "standalone.stamp")].flatMap(existing);
    hashFiles(hash, PROJECT_DIR, [...filesBelow(at("lib")), ...packages]);
    return hash.digest("hex");
  }
  const build = at(".next", "BUILD_ID");
  return existsSync(build) ? readFileSync(build, "utf8") : undefined;
}

const known = processState("code-version", () => ({ version: readVersion() }));

/**
 * Changes with the code that checks templates and draws pictures: there are many builds of one version. Read once, at the start,
 * because a process keeps the code that it has loaded. Only `npm run dev` loads changed code, and keeps the version of its start.
 */
export function codeVersion(): string | undefined {
  return known.get().version;
}
