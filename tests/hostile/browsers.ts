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

/** The processes below another one whose command line matches. */
function processesBelow(ancestor: number, matches: (command: string) => boolean): number[] {
  const all = processes();
  const isBelow = ({ pid, parent }: Process): boolean =>
    parent === ancestor ||
    (parent > 1 && all.some((other) => other.pid === parent && other.pid !== pid && isBelow(other)));
  return all
    .filter(({ command }) => matches(command))
    .filter(isBelow)
    .map(({ pid }) => pid);
}

/** The main process of every browser below a process. */
export function browsersOf(ancestor: number): number[] {
  return processesBelow(
    ancestor,
    (command) => command.includes("--remote-debugging-pipe") && !command.includes("--type="),
  );
}

/** The server that `npm start` has started. @throws Error when it does not run */
export function serverOf(npm: number): number {
  const [server] = processesBelow(npm, (command) => {
    const args = command.split("\0");
    // An old Node cannot replace the launcher by the server.
    return args.includes("scripts/start.ts") && !args.includes("scripts/launch.mjs");
  });
  if (server === undefined) throw new Error("The server does not run.");
  return server;
}
