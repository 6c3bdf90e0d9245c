import { accessSync, constants } from "node:fs";

/** Whether this process can become another program (`execve`). Not on Windows, before Node 22.15, or without the file of Node. */
function isReplaceable(): boolean {
  try {
    accessSync(process.execPath, constants.X_OK);
    return process.execve !== undefined && process.platform !== "win32";
  } catch {
    return false;
  }
}

/**
 * Ends the process. `process.exit` waits for every thread that works for it. A lookup of a host cannot be interrupted, and takes up to a
 * minute where name servers do not answer. So this process becomes another program, which ends at once. Where that is not possible,
 * `process.exit` ends it.
 */
export function exitNow(code: number): void {
  if (!isReplaceable()) process.exit(code);
  process.emit("exit", code);
  const env = { ...process.env, NODE_OPTIONS: "" };
  process.execve?.(process.execPath, [process.execPath, "--eval", `process.exitCode = ${code}`], env);
}
