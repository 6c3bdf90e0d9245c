import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROJECT_DIR, renderConfig } from "#lib/config.ts";
import { DATABASE_VARIABLE } from "#tests/database-server.ts";
import type { Fault } from "./faults.ts";
import type { Order, Outcome } from "./judge.ts";

/** The tests of one fault. A fault may make them hang, which counts as noticed. */
const RUN_TIMEOUT_MS = 5 * 60_000;

/** A copy of the tree as it is, uncommitted changes included. It lies below the tree, so that it can use its packages. */
export class TreeCopy {
  readonly #dir: string;
  #judge: ChildProcess | undefined;
  /** The files that were written since the last run. */
  #changed = new Set<string>();

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

  #startJudge(): ChildProcess {
    // The browser of the tree is unpacked already.
    const env = { ...process.env, SERVICE_DATA_DIR: renderConfig().dataDir, [DATABASE_VARIABLE]: "1" };
    const execArgv = ["--import", "./scripts/launch/guard.mjs"];
    return fork("tests/mutants/judge.ts", { cwd: this.#dir, env, execArgv, detached: true, stdio: "ignore" });
  }

  /**
   * Runs test files until one fails, one at a time: after a failure, whatever else had begun would be wasted.
   * @param options.timeoutMs when they count as failed because they hang
   */
  async runTests(tests: string[], { timeoutMs = RUN_TIMEOUT_MS } = {}): Promise<Outcome> {
    this.#judge ??= this.#startJudge();
    const judge = this.#judge;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const onEnd = () => resolve({ passed: false, problems: ["The tests hung, or ended their process."] });
    judge.once("message", resolve).once("exit", onEnd);
    judge.send({ tests, changed: [...this.#changed] } satisfies Order);
    this.#changed.clear();
    const limit = setTimeout(() => this.#killJudge(), timeoutMs);
    const outcome = await promise;
    clearTimeout(limit);
    judge.off("message", resolve).off("exit", onEnd);
    if (judge.exitCode !== null || judge.signalCode !== null) this.#judge = undefined;
    return outcome;
  }

  /** Whether one of the fault's tests fails with the fault in the copy. */
  async isNoticed({ file, find, replace, tests }: Fault): Promise<boolean> {
    const source = readFileSync(join(this.#dir, file), "utf8");
    this.#write(
      file,
      source.replace(find, () => replace),
    );
    try {
      return !(await this.runTests(tests)).passed;
    } finally {
      this.#write(file, source);
    }
  }

  #write(file: string, text: string): void {
    writeFileSync(join(this.#dir, file), text);
    this.#changed.add(file);
  }

  #killJudge(): void {
    try {
      if (this.#judge?.pid !== undefined) process.kill(-this.#judge.pid, "SIGKILL");
    } catch {
      // ESRCH: it has ended.
    }
    this.#judge = undefined;
  }

  /** Lets what waits for more orders end in order, with its databases. */
  async close(): Promise<void> {
    const judge = this.#judge;
    if (!judge?.connected) return;
    const ended = once(judge, "exit");
    judge.disconnect();
    await ended;
    this.#judge = undefined;
  }

  /** Kills what still runs in the copy, and deletes it. */
  remove(): void {
    this.#killJudge();
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}
