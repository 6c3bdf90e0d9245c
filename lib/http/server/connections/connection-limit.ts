import { readFileSync } from "node:fs";
import { CONNECTION_LIMIT, CONNECTION_MARGIN, RESERVED_FILES } from "#lib/http/http-limits.ts";

/** How many files this process may have open, connections among them. Infinite without such a limit, and without `/proc`. */
function openFilesLimit(): number {
  try {
    // Node has raised it to the hard limit.
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * How many connections may be open: {@link CONNECTION_LIMIT}, or fewer where the process may not open as many files. Without a file
 * for it, the system would reset every new connection, also those of other clients.
 */
export function connectionLimit(openFiles = openFilesLimit()): number {
  const free = openFiles - RESERVED_FILES;
  return Math.max(1, Math.min(CONNECTION_LIMIT, Math.max(free - CONNECTION_MARGIN, Math.floor(free / 2))));
}
