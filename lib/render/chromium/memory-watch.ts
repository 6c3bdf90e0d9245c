import { readdirSync, readFileSync } from "node:fs";
import { MEMORY_SAMPLE_MS } from "#lib/render/render-limits.ts";

const PAGE_BYTES = 4_096;

function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim());
  return lists.flatMap((list) => (list ? list.split(" ").map(Number) : []));
}

/** Memory in RAM that a process has for itself, and that it shares; proc_pid_statm(5). */
function residentBytes(pid: number): { own: number; shared: number } {
  const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
  return { own: (resident - shared) * PAGE_BYTES, shared: shared * PAGE_BYTES };
}

function unlessEnded<T>(read: () => T, ended: T): T {
  try {
    return read();
  } catch {
    return ended;
  }
}

function tree(pid: number): number[] {
  return [pid, ...unlessEnded(() => childrenOf(pid), []).flatMap(tree)];
}

/**
 * What a process and all that descend from it hold in RAM, in bytes: what each has for itself, and the largest part that
 * one shares with others (0.4 ms for a browser; the kernel's exact figure, PSS, takes 5 to 10). 0 where there is no `/proc`.
 */
export function treeBytes(pid: number): number {
  const members = tree(pid).map((member) => unlessEnded(() => residentBytes(member), { own: 0, shared: 0 }));
  return members.reduce((sum, { own }) => sum + own, 0) + Math.max(...members.map(({ shared }) => shared));
}

/** Looks at what a browser takes while it draws. An idle one costs nothing. */
export class MemoryWatch {
  readonly #pid: number;
  #bytes = 0;
  #sampledAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** What was seen last. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param onExceeded is called, again and again, while the browser takes more than `limitBytes` */
  begin(limitBytes: number, onExceeded: () => void): void {
    this.#timer = setInterval(() => {
      this.#sample();
      if (this.#bytes > limitBytes) onExceeded();
    }, MEMORY_SAMPLE_MS);
    this.#timer.unref();
  }

  end(): void {
    clearInterval(this.#timer);
    if (performance.now() - this.#sampledAt > MEMORY_SAMPLE_MS) this.#sample();
  }

  #sample(): void {
    this.#bytes = treeBytes(this.#pid);
    this.#sampledAt = performance.now();
  }
}
