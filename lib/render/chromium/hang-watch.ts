import { readdirSync, readFileSync } from "node:fs";
import { HANG_SAMPLE_MS, HUNG_SAMPLES } from "#lib/render/render-limits.ts";
import { processTree, unlessEnded } from "./process-tree.ts";

/** The state of a process or thread, and the processor time of a process in clock ticks; proc_pid_stat(5). */
function statOf(path: string): { state: string; ticks: number } {
  const stat = readFileSync(`${path}/stat`, "utf8");
  // The second field is the command in parentheses. It may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", ticks: Number(fields[11]) + Number(fields[12]) };
}

function threadStates(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) =>
    unlessEnded(() => statOf(`/proc/${pid}/task/${thread}`).state, ""),
  );
}

/** Stopped by a signal, or by a debugger. */
const STOPPED = ["T", "t"];

/** Running or waiting for a processor, or for the disk. */
const BUSY = ["R", "D"];

type Activity = { isStopped: boolean; ticks: number; isBusy: () => boolean };

/** What the processes of a browser do now. The states of their threads are read only when they are asked for. */
function activityOf(leader: number): Activity {
  const pids = processTree(leader);
  const stats = pids.map((pid) => unlessEnded(() => statOf(`/proc/${pid}`), { state: "", ticks: 0 }));
  return {
    isStopped: stats.some(({ state }) => STOPPED.includes(state)),
    ticks: stats.reduce((sum, { ticks }) => sum + ticks, 0),
    isBusy: () => pids.some((pid) => unlessEnded(() => threadStates(pid), []).some((state) => BUSY.includes(state))),
  };
}

/** What a browser has been asked. `answers` counts its messages; `isAwaited` tells whether an answer is missing. */
type Asked = { answers: () => number; isAwaited: () => boolean };

/**
 * Finds out whether a browser hangs while it renders, or while its page becomes blank. That needs two signs, for a second: it answers
 * nothing that it was asked, and its processes do nothing either: they are stopped, or they use no processor time and none of their
 * threads could. A page that takes long to lay out uses the processor, and on a busy machine it waits for one.
 */
export class HangWatch {
  readonly #pid: number;
  readonly #asked: Asked;
  #timer: NodeJS.Timeout | undefined;
  #answered = 0;
  #ticks = 0;
  #samples = 0;

  constructor(pid: number, asked: Asked) {
    this.#pid = pid;
    this.#asked = asked;
  }

  /** @param onHang is called once the browser hangs, and at every later sample */
  begin(onHang: () => void): void {
    this.#samples = 0;
    this.#timer = setInterval(() => {
      this.#samples = this.#isSuspect() ? this.#samples + 1 : 0;
      if (this.#samples >= HUNG_SAMPLES) onHang();
    }, HANG_SAMPLE_MS);
    this.#timer.unref();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #isSuspect(): boolean {
    const answered = this.#asked.answers();
    const isSilent = answered === this.#answered;
    this.#answered = answered;
    // What a page showed may be judged for seconds before the next command.
    if (!isSilent || !this.#asked.isAwaited()) return false;
    const { isStopped, ticks, isBusy } = activityOf(this.#pid);
    const isStill = ticks === this.#ticks;
    this.#ticks = ticks;
    return isStopped || (isStill && !isBusy());
  }
}
