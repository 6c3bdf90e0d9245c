import { beforeEach, expect, test, vi } from "vitest";
import { processState } from "#lib/process-state.ts";
import type { Browser } from "#lib/render/chromium/launch.ts";
import { isSandboxRefused, launchSandboxed } from "#lib/render/chromium/sandbox.ts";
import { LaunchFailed } from "#lib/render/render-faults.ts";
import { captureLog } from "../../captured-log.ts";

const BROWSER = {} as Browser;

const CREDENTIALS = "[1127/140112.903158:FATAL:sandbox/linux/services/credentials.cc:131] Check failed: . : ";
const ZYGOTE = "[1127/140113.721669:FATAL:../content/browser/zygote_host/zygote_host_impl_linux.cc:237] ";
const EXITED = `${ZYGOTE}Zygote process exited prematurely with exit code -1`;
const WATCHER = "[1127/140051.922316:ERROR:../base/files/file_path_watcher_inotify.cc:338] inotify_init() failed: ";

beforeEach(() => {
  // Root has no sandbox at all.
  vi.spyOn(process, "getuid").mockReturnValue(1_000);
  processState("sandbox-refusal", () => undefined).reset();
});

/** Starts browsers of which none starts with the sandbox at first. @returns what starts them, and says whether each had the sandbox */
function launcher(...outputs: string[]) {
  const started: boolean[] = [];
  const launch = async (sandboxed: boolean) => {
    const output = sandboxed ? outputs.shift() : undefined;
    if (output !== undefined)
      throw new LaunchFailed(new Error("The browser ended (SIGTRAP)."), { output, endedBy: "SIGTRAP" });
    started.push(sandboxed);
    return BROWSER;
  };
  return { launch, started };
}

test.each([
  ["processes", `${CREDENTIALS}Resource temporarily unavailable (11)`],
  ["processes for its first one", `${CREDENTIALS}Resource temporarily unavailable (11)\n${EXITED}\n`],
  ["memory", `${CREDENTIALS}Cannot allocate memory (12)\n`],
  ["files", `${CREDENTIALS}Too many open files (24)\r\n`],
])("a browser that does not start for lack of %s has the sandbox once it starts", async (_, output) => {
  const { launch, started } = launcher(output);
  await expect(launchSandboxed("auto", launch)).rejects.toBeInstanceOf(LaunchFailed);
  expect(isSandboxRefused()).toBe(false);
  await launchSandboxed("auto", launch);
  expect(started).toEqual([true]);
});

test.each([
  ["denies namespaces", `${CREDENTIALS}Operation not permitted (1)`],
  ["has no namespaces left", `${CREDENTIALS}No space left on device (28)`],
  ["has none", `${ZYGOTE}No usable sandbox!`],
  ["also lacks something else", `${WATCHER}Too many open files (24)\n${CREDENTIALS}Operation not permitted (1)\n`],
])("a machine that %s gets browsers without the sandbox, and the log says so", async (_, output) => {
  const lines = captureLog();
  const { launch, started } = launcher(output, output);
  await launchSandboxed("auto", launch);
  await launchSandboxed("auto", launch);
  expect(started).toEqual([false, false]);
  expect(lines.filter((line) => line.includes("WITHOUT ITS SANDBOX"))).toHaveLength(1);
});
