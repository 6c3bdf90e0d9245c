import { accessSync, constants } from "node:fs";

/** Whether this process can become another program. Windows and Node before 22.15 cannot, and a failure would end it with an error. */
function isReplaceable(): boolean {
  try {
    accessSync(process.execPath, constants.X_OK);
    return process.execve !== undefined && process.platform !== "win32";
  } catch {
    return false;
  }
}

/**
 * Ends the process. `process.exit` waits for every thread that works for it, and a lookup of a host, which cannot be interrupted, takes a
 * minute where name servers do not answer. So another program, which ends at once, takes the place of this one. Where that is not
 * possible, it waits.
 */
export function exitNow(code: number): void {
  if (!isReplaceable()) process.exit(code);
  process.emit("exit", code);
  const env = { ...process.env, NODE_OPTIONS: "" };
  process.execve?.(process.execPath, [process.execPath, "--eval", `process.exitCode = ${code}`], env);
}
