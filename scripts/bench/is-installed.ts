import { execFileSync } from "node:child_process";

/** Whether a shell of this machine finds the command. */
export function isInstalled(command: string): boolean {
  try {
    execFileSync("sh", ["-c", 'command -v "$1"', "sh", command]);
    return true;
  } catch {
    return false;
  }
}
