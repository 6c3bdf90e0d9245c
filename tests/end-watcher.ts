import { spawn } from "node:child_process";

/**
 * Runs a line of shell once this process has ended, however it ended: a shell waits until the pipe between them closes. The
 * shell does not inherit the variables that mark the processes of a test, so it is not taken for one that was left running.
 * @returns calls it off
 */
export function afterThisProcess(line: string): () => void {
  const watcher = spawn("sh", ["-c", `read -r _; ${line}`], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env.PATH, NODE_ENV: "test" },
  });
  watcher.unref();
  // The pipe is a socket, and would keep this process alive as well.
  (watcher.stdin as unknown as { unref(): void }).unref();
  return () => void watcher.kill("SIGKILL");
}
