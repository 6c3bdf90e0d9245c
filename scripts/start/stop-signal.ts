import { exitNow } from "./exit-now.ts";

/**
 * A signal this soon after the last one is the same signal, in milliseconds. npm forwards a signal that the whole process group
 * got from a terminal or a supervisor, so that it arrives twice.
 */
const SAME_SIGNAL_MS = 1_000;

/** The exit code of a process that was stopped, as shells use it for Ctrl-C. */
const STOPPED = 130;

/** SIGHUP arrives when a terminal or an SSH connection closes. Node ends at once by default, even under `nohup`. */
const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Calls `act` at each signal that asks a process to stop, once for a signal that arrives twice. */
export function onStopSignal(act: (signal: NodeJS.Signals) => void): void {
  let signalledAt = Number.NEGATIVE_INFINITY;
  const receive = (signal: NodeJS.Signals) => {
    const now = performance.now();
    const isSame = now - signalledAt < SAME_SIGNAL_MS;
    if (isSame) return;
    signalledAt = now;
    act(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, receive);
}

/** Calls `stop` at the first signal, so that a command can clean up. A second signal ends the process at once. */
export function stopCommandOnSignal(stop: () => void): void {
  let isStopping = false;
  onStopSignal(() => {
    if (isStopping) exitNow(STOPPED);
    isStopping = true;
    stop();
  });
}
