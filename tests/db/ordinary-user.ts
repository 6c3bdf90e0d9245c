import { chownSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Root may open every file, whatever its mode is. */
export const IS_ROOT = process.getuid?.() === 0;

/** The user `nobody`. Any other number would do. */
const ORDINARY_ID = 65_534;

/** Gives a folder with all of its files to an ordinary user, where this process is root. @returns the number of the owner */
export function giveToOrdinaryUser(dir: string): number | undefined {
  if (!IS_ROOT) return process.getuid?.();
  for (const name of ["", ...readdirSync(dir, { recursive: true, encoding: "utf8" })])
    chownSync(join(dir, name), ORDINARY_ID, ORDINARY_ID);
  return ORDINARY_ID;
}

/** Acts with the rights of an ordinary user. */
export function asOrdinaryUser<T>(act: () => T): T {
  if (!IS_ROOT) return act();
  process.seteuid?.(ORDINARY_ID);
  const restore = () => process.seteuid?.(0);
  let result: T;
  try {
    result = act();
  } catch (error) {
    restore();
    throw error;
  }
  if (result instanceof Promise) return result.finally(restore) as T;
  restore();
  return result;
}
