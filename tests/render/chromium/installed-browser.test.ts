import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findInstalledBrowser } from "#lib/environment/installed-browser.ts";

/** A folder with these programs. @returns it, and what is found in it with variables that name folders in it */
function machine(programs: string[], mode = 0o755) {
  const root = mkdtempSync(join(tmpdir(), "platen browsers "));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const program of programs) {
    mkdirSync(dirname(join(root, program)), { recursive: true });
    writeFileSync(join(root, program), "", { mode });
  }
  const find = (platform: string, arch: string, variables: Record<string, string>) => {
    const environment = (name: string) =>
      variables[name]
        ?.split(delimiter)
        .map((folder) => join(root, folder))
        .join(delimiter);
    return findInstalledBrowser({ platform, arch, environment })?.slice(root.length + 1);
  };
  return { root, find };
}

const CHROME = "Google/Chrome/Application/chrome.exe";
const EDGE = "Microsoft/Edge/Application/msedge.exe";

it("on Windows, finds Chrome in any of its folders before Edge", () => {
  const folders = { ProgramFiles: "Programs", "ProgramFiles(x86)": "Programs (x86)", LOCALAPPDATA: "Local" };
  const edge = `Programs (x86)/${EDGE}`;
  expect(machine([edge]).find("win32", "x64", folders)).toBe(edge);
  expect(machine([edge, `Local/${CHROME}`]).find("win32", "arm64", folders)).toBe(`Local/${CHROME}`);
  expect(machine([]).find("win32", "x64", folders)).toBeUndefined();
});

it("on a Mac, finds the applications of the user", () => {
  const [chromium, edge] = ["Chromium", "Microsoft Edge"].map(
    (name) => `me/Applications/${name}.app/Contents/MacOS/${name}`,
  );
  expect(machine([`${edge}`]).find("darwin", "arm64", { HOME: "me" })).toBe(edge);
  expect(machine([`${edge}`, `${chromium}`]).find("darwin", "x64", { HOME: "me" })).toBe(chromium);
});

it("on Linux on ARM, prefers a headless shell of any folder of PATH", () => {
  const { find } = machine(["local/google-chrome", "usr/chromium-headless-shell"]);
  expect(find("linux", "arm64", { PATH: `local${delimiter}usr` })).toBe("usr/chromium-headless-shell");
  expect(find("linux", "arm64", { PATH: "local" })).toBe("local/google-chrome");
  expect(find("linux", "arm64", {})).toBeUndefined();
});

it("takes neither a file that cannot be run nor a folder", () => {
  expect(machine(["usr/chromium"], 0o644).find("linux", "arm64", { PATH: "usr" })).toBeUndefined();
  expect(machine(["usr/chromium/readme"]).find("linux", "arm64", { PATH: "usr" })).toBeUndefined();
});

it("looks for none where the bundled Chromium runs", () => {
  expect(machine(["usr/chromium"]).find("linux", "x64", { PATH: "usr" })).toBeUndefined();
});
