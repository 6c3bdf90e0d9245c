import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const DONE = "--- done:";

/** Runs in its own mount namespace: mounts a file system in memory, starts the service on it, and runs lines of shell from its input. */
const SCRIPT = `
mount -t tmpfs -o size=$SIZE tmpfs "$SERVICE_DATA_DIR" || exit 70
eval "$BEFORE"
npm start &
while read -r line; do eval "$line"; echo "${DONE} $?"; done
kill -TERM $! && wait $!
`;

export type SmallDisk = {
  origin: string;
  /** Runs a line of shell in the mount namespace of the service. @throws Error unless it succeeds */
  run(line: string): Promise<void>;
  /** Everything printed so far. */
  output(): string;
  /** Ends the service. @returns its exit code */
  stop(): Promise<number | null>;
};

/** Runs `npm start` with its data folder on a file system of `size`, after the shell line `before`, and waits until it listens. */
export async function startOnSmallDisk({ size, before = ":" }: { size: string; before?: string }): Promise<SmallDisk> {
  // Not in the folder for temporary files: that may be in /dev/shm, which a test replaces.
  mkdirSync(resolve(".data"), { recursive: true });
  const dir = mkdtempSync(resolve(".data", "disk-"));
  const child = spawn("unshare", ["--map-root-user", "--mount", "sh", "-c", SCRIPT], {
    env: {
      ...process.env,
      PORT: "0",
      HOST: "127.0.0.1",
      SERVICE_LOG_LEVEL: "info",
      SERVICE_DATA_DIR: dir,
      SIZE: size,
      BEFORE: before,
    },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(child, "exit");
  let output = "";
  const waiting: ((code: number) => void)[] = [];
  const listening = Promise.withResolvers<string>();
  const read = (line: string) => {
    output += `${line}\n`;
    const origin = /listening on (http:\/\/[\w.:]+)/.exec(line)?.[1];
    if (origin) listening.resolve(origin);
    if (line.startsWith(DONE)) waiting.shift()?.(Number(line.slice(DONE.length)));
  };
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", read);
  void ended.then(([code]) => listening.reject(new Error(`It ended with ${code}:\n${output}`)));
  const run = async (line: string) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    waiting.push(resolve);
    child.stdin.write(`${line}\n`);
    if ((await promise) !== 0) throw new Error(`"${line}" failed:\n${output}`);
  };
  const stop = async () => {
    child.stdin.end();
    const [code] = await ended;
    rmSync(dir, { recursive: true, force: true });
    return code as number | null;
  };
  return { origin: await listening.promise, run, output: () => output, stop };
}
