import { readdirSync, readFileSync } from "node:fs";

type Process = { pid: number; parent: number; command: string };

function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    // The process ended meanwhile.
    return "";
  }
}

function processes(): Process[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => ({
    pid: Number(pid),
    // The name in parentheses may itself hold spaces and parentheses.
    parent: Number(read(pid, "stat").split(") ").at(-1)?.split(" ")[1]),
    command: read(pid, "cmdline"),
  }));
}

/** The main process of every browser below a process. */
export function browsersOf(ancestor: number): number[] {
  const all = processes();
  const isBelow = ({ pid, parent }: Process): boolean =>
    parent === ancestor ||
    (parent > 1 && all.some((other) => other.pid === parent && other.pid !== pid && isBelow(other)));
  return all
    .filter(({ command }) => command.includes("--remote-debugging-pipe") && !command.includes("--type="))
    .filter(isBelow)
    .map(({ pid }) => pid);
}
