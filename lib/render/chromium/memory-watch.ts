import { readFileSync } from "node:fs";
import { MEMORY_SAMPLE_MS } from "#lib/render/render-limits.ts";
import { processTree, unlessEnded } from "./process-tree.ts";

const PAGE_BYTES = 4_096;

/** Memory of a process in RAM: its own, and shared with others; proc_pid_statm(5). */
function residentBytes(pid: number): { own: number; shared: number } {
  const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
  return { own: (resident - shared) * PAGE_BYTES, shared: shared * PAGE_BYTES };
}

/**
 * Bytes in RAM of a process and its descendants: the sum of their own memory, plus the largest shared part of one of them.
 * Takes 0.4 ms for a browser; the kernel's exact figure, PSS, takes 5 to 10 ms. 0 on a machine without `/proc`.
 */
export function treeBytes(pid: number): number {
  const members = processTree(pid).map((member) => unlessEnded(() => residentBytes(member), { own: 0, shared: 0 }));
  return members.reduce((sum, { own }) => sum + own, 0) + Math.max(...members.map(({ shared }) => shared));
}

/** Samples the memory of a browser while it renders. An idle browser is not sampled. */
export class MemoryWatch {
  readonly #pid: number;
  #bytes = 0;
  #sampledAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** The last sample. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param onExceeded is called at every sample above `limitBytes` */
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
