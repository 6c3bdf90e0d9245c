import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { SHARED_DATA_DIR } from "../rig.ts";

/**
 * An executable for SERVICE_CHROMIUM_PATH that runs `lines` of bash and then replaces itself with the bundled browser.
 * In `lines`, `$DIR` is the script's folder and `$ARGS` its arguments.
 */
export async function chromiumScript(dir: string, lines: string): Promise<string> {
  const { executable, libraries } = await prepareChromium({ dataDir: SHARED_DATA_DIR });
  const path = join(dir, "chromium.sh");
  const text = [
    "#!/bin/bash",
    `DIR='${dir}'`,
    'ARGS=("$@")',
    lines,
    `LD_LIBRARY_PATH='${libraries}' exec '${executable}' "\${ARGS[@]}"`,
  ];
  writeFileSync(path, `${text.join("\n")}\n`);
  chmodSync(path, 0o700);
  return path;
}

/** Lets one browser start. Each further one runs the bash line `otherwise`, for as long as the file `broken` exists in the folder. */
export async function letOneStart(dir: string, otherwise: string): Promise<void> {
  writeFileSync(join(dir, "broken"), "");
  const lines = `if ! mkdir "$DIR/first" 2>/dev/null && [ -e "$DIR/broken" ]; then ${otherwise}; fi`;
  vi.stubEnv("SERVICE_CHROMIUM_PATH", await chromiumScript(dir, lines));
  // On a machine that refuses the sandbox, the first browser would be started twice.
  vi.stubEnv("SERVICE_CHROMIUM_SANDBOX", "off");
}
