import { delimiter, join } from "node:path";
import { isProgram } from "#lib/environment/installed-browser.ts";

/** Whether a folder of `PATH` has the program. */
export function isInstalled(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => isProgram(join(folder, name)));
}
