import { delimiter, isAbsolute, join } from "node:path";
import { isProgram } from "#lib/environment/installed-browser.ts";

/** Whether there is such a program. @param program its name, which a folder of `PATH` has, or its absolute path */
export function isInstalled(program: string): boolean {
  if (isAbsolute(program)) return isProgram(program);
  return (process.env.PATH ?? "").split(delimiter).some((folder) => isProgram(join(folder, program)));
}
