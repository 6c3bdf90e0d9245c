import { parseEnv } from "node:util";
import nextEnv, { type LoadedEnvFiles } from "@next/env";
import { PROJECT_DIR } from "#lib/config.ts";
import { ConfigError, type ConfigFault } from "#lib/environment/config-error.ts";
import { VARIABLES } from "#lib/environment/variables.ts";
import { explainFileFault } from "#lib/file-faults.ts";

/** Next only prints which file it cannot read, and goes on with the others. Without one of them, accounts may be off. */
function refuse(_message: string, error: unknown): never {
  throw new ConfigError([{ variable: ".env", message: explainFileFault(error) ?? String(error) }]);
}

/** The name of another variable in a value, which Next replaces, and its default. `\$` stands for a dollar sign. */
const REFERENCE = /(?<!\\)\$\{?(\w+)(:-[^}\\]*)?/g;

/**
 * Values of which Next leaves out a part, because it takes that for the name of a variable, also within quotes: passwords often have a
 * dollar sign. The name is not quoted, because it may be a part of one.
 */
function lostParts(files: LoadedEnvFiles, given: NodeJS.ProcessEnv): ConfigFault[] {
  const isLost = ([, name = "", fallback]: RegExpExecArray) => fallback === undefined && !process.env[name];
  const read = new Set(Object.keys(given));
  // The first file that has a variable decides.
  return files.flatMap(({ path, contents }) => {
    const own = Object.entries(parseEnv(contents)).filter(
      ([variable]) => VARIABLES.has(variable) && !read.has(variable),
    );
    for (const [variable] of own) read.add(variable);
    return own
      .filter(([, value = ""]) => [...value.matchAll(REFERENCE)].some(isLost))
      .map(([variable]) => ({
        variable,
        message: `got a dollar sign before a name that no variable has, in ${path}, want \\$ for a dollar sign, also within quotes`,
      }));
  });
}

/**
 * Reads the `.env` files as Next does, with variables of the environment taking precedence. It is done before any
 * variable is read, so that the port and the report of faults include them. Next then does not read the files again.
 *
 * @throws ConfigError when a file cannot be read, or a value in it lacks a part
 */
export function loadEnvironment(mode: "production" | "development"): void {
  Object.assign(process.env, { NODE_ENV: mode, NEXT_TELEMETRY_DISABLED: "1" });
  const given = { ...process.env };
  const options = { info: () => undefined, error: refuse };
  const { loadedEnvFiles } = nextEnv.loadEnvConfig(PROJECT_DIR, mode === "development", options);
  // Next replaces names in these too, where a file has the same variable.
  Object.assign(process.env, given);
  const faults = lostParts(loadedEnvFiles, given);
  if (faults.length > 0) throw new ConfigError(faults);
}
