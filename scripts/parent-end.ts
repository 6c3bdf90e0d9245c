const POLL_MS = 500;

/**
 * Calls `end` when npm, which started this process, has ended without a signal to it, as by SIGKILL. Does nothing in a process that
 * npm did not start: a command in the background of a shell outlives the shell on purpose.
 */
export function onParentEnd(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, POLL_MS).unref();
}
