const POLL_MS = 500;

/** Whether npm started this process, or `scripts/launch.mjs` did and waits for it. A shell's child outlives the shell on purpose. */
function isFollower(): boolean {
  return process.env.npm_lifecycle_event !== undefined || process.env.PLATEN_LAUNCHER === String(process.ppid);
}

/** Calls `end` when npm or the launcher, which started this process, has ended without a signal to it, as by SIGKILL. */
export function onParentEnd(end: () => void): void {
  if (!isFollower()) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, POLL_MS).unref();
}
