import { writeFileSync } from "node:fs";
import { childrenOf, unlessEnded } from "./process-tree.ts";

/** The highest value of proc(5): the first to end, whatever its size. */
const OOM_SCORE = "1000";

/**
 * Makes the kernel end a browser where memory runs out. By itself it ends the largest process, which may be the server. A
 * browser's render is repeated. Processes that start later inherit this. Those that the browser has already started are
 * reached too, because each one's children are listed after its own score is set.
 */
export function endFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE);
  } catch {
    // Another system than Linux has no such file, and a process that has ended has none either.
  }
  for (const child of unlessEnded(() => childrenOf(pid), [])) endFirst(child);
}
