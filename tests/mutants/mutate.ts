import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { PROJECT_DIR } from "#lib/config.ts";
import { onParentEnd } from "#scripts/parent-end.ts";
import { type Fault, readFaults } from "./faults.ts";
import { TreeCopy } from "./tree-copy.ts";

const USAGE = `Breaks the product on purpose, one listed fault at a time, and says which faults the tests notice.

  npm run mutate -- [--list <name>] [--only <part of a file's path>] [--at-once <number>]

The faults are in tests/mutants/<name>.json. They are applied to copies of this tree, never to the tree itself: to as many at
once as there are processors, unless --at-once says otherwise.`;

/** The folders whose score counts. Faults of other files count for their own folder. */
const ROOMS = ["lib/access", "lib/http", "lib/render/queue"];

/** All tests of all lists, one file at a time, on a busy machine. */
const WHOLE_TIMEOUT_MS = 30 * 60_000;

const { values } = parseArgs({
  options: {
    list: { type: "string" },
    only: { type: "string", default: "" },
    "at-once": { type: "string", default: String(availableParallelism()) },
    help: { type: "boolean", short: "h", default: false },
  },
});

type Verdict = "noticed" | "UNNOTICED" | "equivalent";
type Result = { fault: Fault; verdict: Verdict };

async function judge(copy: TreeCopy, fault: Fault): Promise<Verdict> {
  if (fault.equivalent !== undefined) return "equivalent";
  return (await copy.isNoticed(fault)) ? "noticed" : "UNNOTICED";
}

/** Judges every fault. Each copy takes the next one as soon as it is free. */
async function judgeAll(copies: TreeCopy[], faults: Fault[]): Promise<Result[]> {
  const results: Result[] = [];
  const next = faults.values();
  const work = async (copy: TreeCopy) => {
    for (const fault of next) {
      const verdict = await judge(copy, fault);
      results.push({ fault, verdict });
      const change = `${JSON.stringify(fault.find)} → ${JSON.stringify(fault.replace)}`;
      console.log(`${results.length}/${faults.length} ${verdict}: ${fault.file}: ${change}`);
    }
  };
  await Promise.all(copies.map(work));
  return results;
}

const roomOf = (file: string) => ROOMS.find((room) => file.startsWith(`${room}/`)) ?? dirname(file);

function printScores(results: Result[]): void {
  const rows = Object.entries(Object.groupBy(results, ({ fault }) => roomOf(fault.file))).map(([room, all = []]) => {
    const counted = all.filter(({ verdict }) => verdict !== "equivalent");
    const noticed = counted.filter(({ verdict }) => verdict === "noticed").length;
    const score = counted.length === 0 ? "" : `${((100 * noticed) / counted.length).toFixed(0)} %`;
    return { room, faults: counted.length, noticed, equivalent: all.length - counted.length, score };
  });
  console.table(rows);
}

async function main(): Promise<void> {
  const faults = readFaults(PROJECT_DIR, values.list).filter(({ file }) => file.includes(values.only));
  if (faults.length === 0) throw new Error(`--only: got "${values.only}", which is in the path of no listed file.`);
  const atOnce = Number(values["at-once"]);
  if (!(Number.isInteger(atOnce) && atOnce > 0))
    throw new Error(`--at-once: got "${values["at-once"]}", want 1 or more.`);
  const copies = Array.from({ length: Math.min(atOnce, faults.length) }, () => new TreeCopy());
  const removeAll = () => {
    for (const copy of copies) copy.remove();
  };
  const stop = () => {
    removeAll();
    process.exit(1);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  onParentEnd(stop);
  try {
    const whole = await copies[0]?.runTests([...new Set(faults.flatMap(({ tests }) => tests))], {
      timeoutMs: WHOLE_TIMEOUT_MS,
    });
    if (!whole?.passed) throw new Error(`The tests fail without any fault:\n${whole?.problems.join("\n")}`);
    const results = await judgeAll(copies, faults);
    printScores(results);
    if (results.some(({ verdict }) => verdict === "UNNOTICED")) process.exitCode = 1;
  } finally {
    await Promise.all(copies.map((copy) => copy.close()));
    removeAll();
  }
}

if (values.help) console.log(USAGE);
else await main();
