import { readFileSync } from "node:fs";

/** With 64, a start with accounts ended with EMFILE. Each client, browser and connection to the database needs more. */
const FEWEST_FILES = 256;

/** Threads count. With 20 no browser started, and with 60 one failed while it started. The rest is a margin. */
const FEWEST_PROCESSES = 256;

/** Both reserve address space without using it. With 4 GB no browser started, with 24 GB the embedded database did not; with this, both did. */
const LEAST_SPACE_BYTES = 128 * 2 ** 30;

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}

/**
 * Which limits of this process the service does not run with, and what to do. Beyond them Chromium and V8 end without a message,
 * and other errors name only the file that came last.
 * @param limits as Linux writes them; proc_pid_limits(5). Empty where there are none
 */
export function tightLimits(limits = readLimits(), isRoot = process.getuid?.() === 0): string[] {
  const soft = (name: string) => Number(RegExp(`^${name} +(\\d+)`, "m").exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  const [files, processes, space] = [soft("Max open files"), soft("Max processes"), soft("Max address space")];
  const faults: string[] = [];
  if (files < FEWEST_FILES)
    faults.push(
      `This process may open ${files} files, which is too few. Set ulimit -n, or LimitNOFILE of systemd, to 1024 at least.`,
    );
  // The kernel does not count those of root.
  if (processes < FEWEST_PROCESSES && !isRoot)
    faults.push(
      `This user may have ${processes} processes and threads, which is too few for Chromium. Set ulimit -u, or LimitNPROC of systemd, to 512 at least.`,
    );
  if (space < LEAST_SPACE_BYTES)
    faults.push(
      `The address space of this process is limited to ${(space / 2 ** 30).toFixed(1)} GB. Chromium and the embedded database reserve far more than they use, and end without a message. Remove the limit (ulimit -v unlimited, LimitAS of systemd), and limit memory with a container or MemoryMax instead.`,
    );
  return faults;
}
