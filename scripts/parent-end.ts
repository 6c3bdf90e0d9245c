const POLL_MS = 500;

/** Loaded before the script of a follower. */
const FOLLOW_MODULE = new URL("build/follow-parent.ts", import.meta.url).href;

/** Whether npm started this process, or `scripts/launch.mjs` did and waits for it. A shell's child outlives the shell on purpose. */
function isFollower(): boolean {
  return process.env.npm_lifecycle_event !== undefined || process.env.PLATEN_LAUNCHER === String(process.ppid);
}

/**
 * The parent at the start of the launcher: npm may have ended while the script was loaded. Children inherit the variable, so it has the
 * pid of the process that it is for.
 */
function firstParent(): number {
  const [pid, parent] = process.env.PLATEN_PARENT?.split(" ") ?? [];
  return pid === String(process.pid) ? Number(parent) : process.ppid;
}

/** Calls `end` when npm or the launcher, which started this process, has ended without a signal to it, as by SIGKILL. */
export function onParentEnd(end: () => void): void {
  if (!isFollower()) return;
  const parent = firstParent();
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, POLL_MS).unref();
}

/**
 * Arguments and environment with which Node runs in a process that ends soon after this one, however this one ends. A build of Next
 * whose parent was killed would go on for a minute, and write into the folder of the next build.
 * @param args of Node, such as a script and its arguments
 */
export function asFollower(args: string[], env: NodeJS.ProcessEnv): { args: string[]; env: NodeJS.ProcessEnv } {
  return { args: ["--import", FOLLOW_MODULE, ...args], env: { ...env, PLATEN_LAUNCHER: String(process.pid) } };
}
