import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { join } from "node:path";
import { PROJECT_DIR } from "#lib/config.ts";
import { log } from "#lib/log.ts";

const LOOK_MS = 5_000;

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Logs once that another build replaces the one that this server runs from. Next reads the files of a page when it is first asked for,
 * and remembers a missing file as missing. It does not keep the process alive.
 * @param file what Next removes when a build begins, and writes with another content at its end
 * @returns stops it
 */
export function reportReplacedBuild(file = join(PROJECT_DIR, ".next", "BUILD_ID"), interval = LOOK_MS): () => void {
  const own = textOf(file);
  const stop = () => unwatchFile(file, look);
  function look() {
    if (textOf(file) === own) return;
    stop();
    log().error(
      "Another build replaces the one that this server runs from, so pages may be answered 500. Restart the server when that build has ended.",
    );
  }
  watchFile(file, { interval, persistent: false }, look);
  return stop;
}
