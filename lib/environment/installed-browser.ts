import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "./section.ts";

/** The bundled Chromium is for this platform alone. */
const BUNDLED_FOR = "linux-x64";

/** The names of programs on Linux. A headless shell draws frames on demand, which is faster than screenshots. */
const LINUX_PROGRAMS = [
  "chrome-headless-shell",
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "microsoft-edge-stable",
  "microsoft-edge",
];

const MAC_PROGRAMS = [
  "Google Chrome.app/Contents/MacOS/Google Chrome",
  "Chromium.app/Contents/MacOS/Chromium",
  "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

const WINDOWS_PROGRAMS = [
  join("Google", "Chrome", "Application", "chrome.exe"),
  join("Chromium", "Application", "chrome.exe"),
  join("Microsoft", "Edge", "Application", "msedge.exe"),
];

/** The folders where programs are, and the programs, the preferred first. Others than Chrome are unknown to `@puppeteer/browsers`. */
function placesOn(platform: string, environment: Environment): { folders: string[]; programs: string[] } {
  const named = (...names: string[]) => names.flatMap((name) => environment(name) ?? []);
  if (platform === "win32")
    return { folders: named("ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"), programs: WINDOWS_PROGRAMS };
  if (platform !== "darwin")
    return { folders: (environment("PATH") ?? "").split(delimiter).filter(Boolean), programs: LINUX_PROGRAMS };
  const own = named("HOME").map((home) => join(/* turbopackIgnore: true */ home, "Applications"));
  return { folders: ["/Applications", ...own], programs: MAC_PROGRAMS };
}

/** Whether this user may run the file. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(/* turbopackIgnore: true */ path).isFile();
  } catch {
    return false;
  }
}

export type Machine = { platform: string; arch: string; environment: Environment };

/** Finds a Chrome, Chromium or Edge of a machine for which none is bundled. @returns the path of its program */
export function findInstalledBrowser({ platform, arch, environment }: Machine): string | undefined {
  if (`${platform}-${arch}` === BUNDLED_FOR) return undefined;
  const { folders, programs } = placesOn(platform, environment);
  const paths = programs.flatMap((program) =>
    folders.map((folder) => join(/* turbopackIgnore: true */ folder, program)),
  );
  return paths.find(isProgram);
}

let found: { path: string | undefined } | undefined;

/** As {@link findInstalledBrowser} for this machine, which is searched once. */
export function installedBrowser(environment: Environment): string | undefined {
  found ??= { path: findInstalledBrowser({ platform: process.platform, arch: process.arch, environment }) };
  return found.path;
}
