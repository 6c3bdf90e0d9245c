import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** Prints more than a pipe holds. */
const COMMAND = `import { runCommand } from "#scripts/run-command.ts";
await runCommand(async () => console.log("x".repeat(200_000)));`;

/** @param line of shell, in which "$@" is a command that prints its result */
function runInShell(line: string) {
  const args = ["-c", line, "sh", process.execPath, "--input-type=module-typescript", "--eval", COMMAND];
  const { status, stderr } = spawnSync("sh", args, { encoding: "utf8" });
  return { status, stderr };
}

it("a command whose result does not fit on the disk fails, and says why", () => {
  const { status, stderr } = runInShell('"$@" >/dev/full');
  expect([status, stderr]).toEqual([1, "The result could not be written: ENOSPC: no space left on device, write\n"]);
});

it("a command fails whose result is written in part", () => {
  const dir = mkdtempSync(join(tmpdir(), "platen-result-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, "result");
  // Beyond the limit, the system takes the first part of a write.
  const { status, stderr } = runInShell(`trap '' XFSZ; ulimit -f 64; "$@" >'${file}'`);
  expect([status, stderr]).toEqual([1, "The result could not be written: EFBIG: file too large, write\n"]);
  expect(statSync(file).size).toBeGreaterThan(0);
});

it("a command whose reader has read enough succeeds", () => {
  expect(runInShell('{ "$@"; echo "ended with $?" >&2; } | head -c 10')).toEqual({
    status: 0,
    stderr: "ended with 0\n",
  });
});
