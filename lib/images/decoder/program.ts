import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import type { WORK } from "./image-work.ts";

/*
 * The program of the process that decodes images. Node runs this file as it is.
 */

/** What this process is asked for: work, or how much processor time the work has taken. */
export type Order = { id: number; name: keyof typeof WORK; args: unknown[] } | "time";

export type Answer =
  /** The first message: work can begin. */
  | "ready"
  | { id: number; result: unknown }
  | { id: number; error: string }
  /** The processor time of the work that was ordered last, in milliseconds. */
  | { id: number; busyMs: number };

/** When the server has ended, nobody waits for the work. `process.exit` would wait for it. */
const endAtOnce = () => process.kill(process.pid, "SIGKILL");

process.on("disconnect", endAtOnce);

/** An answer that cannot be sent is often the first sign that the server has ended. Without a callback, it would be an uncaught error. */
const answer = (message: Answer) => process.send?.(message, undefined, undefined, (error) => error && endAtOnce());

// A terminal and systemd send these to all processes of the service. The server still finishes its renders, and then ends this one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  if (signal in constants.signals) process.on(signal, () => undefined);

try {
  // Where memory runs out, the kernel ends this process before the server; proc_pid_oom_score_adj(5).
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // Another system than Linux has no such file.
}

const { WORK: work } = await import("./image-work.ts");

/** The processor time of this process when the work began. */
let begun = process.cpuUsage();
let id = 0;

process.on("message", async (order: Order) => {
  if (order === "time") {
    const { user, system } = process.cpuUsage(begun);
    answer({ id, busyMs: (user + system) / 1_000 });
    return;
  }
  begun = process.cpuUsage();
  id = order.id;
  try {
    const act = work[order.name] as (...args: unknown[]) => Promise<unknown>;
    answer({ id, result: await act(...order.args) });
  } catch (error) {
    answer({ id, error: (error as Error).message });
  }
});

answer("ready");
