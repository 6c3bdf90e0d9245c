import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { SHARED_DATA_DIR } from "./rig.ts";

/**
 * An executable for SERVICE_CHROMIUM_PATH that runs `lines` of bash before it becomes the bundled browser. `$DIR` is the folder
 * it lies in, and `$ARGS` what it was started with.
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

/** From now on the first browser starts, and any further one does `otherwise`, for as long as the file `broken` exists in the folder. */
export async function letOneStart(dir: string, otherwise: string): Promise<void> {
  writeFileSync(join(dir, "broken"), "");
  const lines = `if ! mkdir "$DIR/first" 2>/dev/null && [ -e "$DIR/broken" ]; then ${otherwise}; fi`;
  vi.stubEnv("SERVICE_CHROMIUM_PATH", await chromiumScript(dir, lines));
  // Where a machine refuses the sandbox, the first browser is started twice.
  vi.stubEnv("SERVICE_CHROMIUM_SANDBOX", "off");
}
