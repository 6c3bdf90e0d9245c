import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROJECT_DIR, renderConfig } from "#lib/config.ts";
import type { Fault } from "./faults.ts";

/** The tests of one fault. A fault may make them hang, which counts as noticed. */
const RUN_TIMEOUT_MS = 5 * 60_000;

/** Many faults make a test wait for ever. The usual limit is three times as long. */
const TEST_TIMEOUT_MS = 60_000;

/** As much of the output of a run as is kept, in characters. */
const OUTPUT_CHARS = 5_000;

/** A copy of the tree as it is, uncommitted changes included. It lies below the tree, so that it can use its packages. */
export class TreeCopy {
  readonly #dir: string;
  #running: ChildProcess | undefined;

  constructor() {
    mkdirSync(join(PROJECT_DIR, ".data"), { recursive: true });
    this.#dir = mkdtempSync(join(PROJECT_DIR, ".data", "mutants-"));
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: PROJECT_DIR,
      encoding: "utf8",
    });
    for (const file of [...listed.split("\0").filter(Boolean), ".platen"]) {
      mkdirSync(dirname(join(this.#dir, file)), { recursive: true });
      cpSync(join(PROJECT_DIR, file), join(this.#dir, file), { recursive: true, force: true });
    }
    symlinkSync(join(PROJECT_DIR, "node_modules"), join(this.#dir, "node_modules"));
  }

  /**
   * Runs test files until one fails, one at a time: after a failure, whatever else had begun would be wasted.
   * @param options.timeoutMs when they count as failed because they hang
   * @returns whether all passed, and the end of the output
   */
  async runTests(tests: string[], { timeoutMs = RUN_TIMEOUT_MS } = {}): Promise<{ passed: boolean; output: string }> {
    const options = ["--bail", "1", "--maxWorkers", "1", "--testTimeout", String(TEST_TIMEOUT_MS)];
    const args = ["--import", "./scripts/guard.mjs", "node_modules/vitest/vitest.mjs", "run", ...options, ...tests];
    // The browser of the tree is unpacked already.
    const env = { ...process.env, SERVICE_DATA_DIR: renderConfig().dataDir };
    const child = spawn(process.execPath, args, {
      cwd: this.#dir,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#running = child;
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output = (output + chunk).slice(-OUTPUT_CHARS);
      });
    const limit = setTimeout(() => this.#killRunning(), timeoutMs);
    const [code] = await once(child, "close");
    clearTimeout(limit);
    this.#running = undefined;
    return { passed: code === 0, output };
  }

  /** Whether one of the fault's tests fails with the fault in the copy. */
  async isNoticed({ file, find, replace, tests }: Fault): Promise<boolean> {
    const path = join(this.#dir, file);
    const source = readFileSync(path, "utf8");
    writeFileSync(
      path,
      source.replace(find, () => replace),
    );
    try {
      return !(await this.runTests(tests)).passed;
    } finally {
      writeFileSync(path, source);
    }
  }

  #killRunning(): void {
    try {
      if (this.#running?.pid !== undefined) process.kill(-this.#running.pid, "SIGKILL");
    } catch {
      // ESRCH: it has ended.
    }
  }

  /** Ends what runs in the copy, and deletes it. */
  remove(): void {
    this.#killRunning();
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}
