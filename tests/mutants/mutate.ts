import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { PROJECT_DIR, renderConfig } from "#lib/config.ts";
import { type Fault, readFaults } from "./faults.ts";

const USAGE = `Breaks the product on purpose, one listed fault at a time, and says which faults the tests notice.

  npm run mutate -- [--only <part of a file's path>]

The faults are in tests/mutants/*.json. They are applied to a copy of this tree, never to the tree itself.`;

/** The folders whose score counts. Faults of other files count for their own folder. */
const ROOMS = ["lib/access", "lib/http", "lib/render/queue"];

/** The tests of one fault. A fault may make them hang, which counts as noticed. */
const RUN_TIMEOUT_MS = 5 * 60_000;

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, help: { type: "boolean", short: "h", default: false } },
});

let running: ChildProcess | undefined;

function killRunning(): void {
  try {
    if (running?.pid !== undefined) process.kill(-running.pid, "SIGKILL");
  } catch {
    // ESRCH: it has ended.
  }
}

/** A copy of the tree as it is, uncommitted changes included. It lies below the tree, so that it can use its packages. */
function copyTree(): string {
  mkdirSync(join(PROJECT_DIR, ".data"), { recursive: true });
  const dir = mkdtempSync(join(PROJECT_DIR, ".data", "mutants-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: PROJECT_DIR,
    encoding: "utf8",
  });
  const files = [...listed.split("\0").filter(Boolean), ".platen"];
  for (const file of files) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    cpSync(join(PROJECT_DIR, file), join(dir, file), { recursive: true, force: true });
  }
  symlinkSync(join(PROJECT_DIR, "node_modules"), join(dir, "node_modules"));
  return dir;
}

/** Runs test files in the copy. @returns whether all passed, and the end of the output */
async function runTests(dir: string, tests: string[]): Promise<{ passed: boolean; output: string }> {
  const args = ["--import", "./scripts/guard.mjs", "node_modules/vitest/vitest.mjs", "run", "--bail", "1", ...tests];
  // The browser of the tree is unpacked already.
  const env = { ...process.env, SERVICE_DATA_DIR: renderConfig().dataDir };
  const child = spawn(process.execPath, args, { cwd: dir, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  running = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = (output + chunk).slice(-5_000);
    });
  const limit = setTimeout(killRunning, RUN_TIMEOUT_MS);
  const [code] = await once(child, "close");
  clearTimeout(limit);
  return { passed: code === 0, output };
}

async function isNoticed(dir: string, { file, find, replace, tests }: Fault): Promise<boolean> {
  const path = join(dir, file);
  const source = readFileSync(path, "utf8");
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  try {
    return !(await runTests(dir, tests)).passed;
  } finally {
    writeFileSync(path, source);
  }
}

type Verdict = "noticed" | "UNNOTICED" | "equivalent";

async function judge(dir: string, fault: Fault): Promise<Verdict> {
  if (fault.equivalent !== undefined) return "equivalent";
  return (await isNoticed(dir, fault)) ? "noticed" : "UNNOTICED";
}

const roomOf = (file: string) => ROOMS.find((room) => file.startsWith(`${room}/`)) ?? dirname(file);

function printScores(results: { fault: Fault; verdict: Verdict }[]): void {
  const rows = Object.entries(Object.groupBy(results, ({ fault }) => roomOf(fault.file))).map(([room, all = []]) => {
    const counted = all.filter(({ verdict }) => verdict !== "equivalent");
    const noticed = counted.filter(({ verdict }) => verdict === "noticed").length;
    const score = counted.length === 0 ? "" : `${((100 * noticed) / counted.length).toFixed(0)} %`;
    return { room, faults: counted.length, noticed, equivalent: all.length - counted.length, score };
  });
  console.table(rows);
}

async function main(): Promise<void> {
  const faults = readFaults(PROJECT_DIR).filter(({ file }) => file.includes(values.only));
  const dir = copyTree();
  const stop = () => {
    killRunning();
    rmSync(dir, { recursive: true, force: true });
    process.exit(1);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  try {
    const whole = await runTests(dir, [...new Set(faults.flatMap(({ tests }) => tests))]);
    if (!whole.passed) throw new Error(`The tests fail without any fault:\n${whole.output}`);
    const results: { fault: Fault; verdict: Verdict }[] = [];
    for (const fault of faults) {
      const verdict = await judge(dir, fault);
      results.push({ fault, verdict });
      const change = `${JSON.stringify(fault.find)} → ${JSON.stringify(fault.replace)}`;
      console.log(`${results.length}/${faults.length} ${verdict}: ${fault.file}: ${change}`);
    }
    printScores(results);
    if (results.some(({ verdict }) => verdict === "UNNOTICED")) process.exitCode = 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

if (values.help) console.log(USAGE);
else await main();
