import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** A deliberate fault in the product, and the tests that must notice it. */
const Fault = z.strictObject({
  file: z.string(),
  /** Occurs exactly once in the file. */
  find: z.string().min(1),
  replace: z.string(),
  tests: z.array(z.string()).min(1),
  /** Why no test can notice the fault: the program does the same with it. */
  equivalent: z.string().min(1).optional(),
});

export type Fault = z.infer<typeof Fault>;

/** What makes a fault useless, as a line each: it would not change the file, or no test would run. */
function problemsOf({ file, find, replace, tests }: Fault, root: string): string[] {
  const missing = tests.filter((test) => !existsSync(join(root, test))).map((test) => `${test} does not exist.`);
  if (!existsSync(join(root, file))) return [`${file} does not exist.`, ...missing];
  const count = readFileSync(join(root, file), "utf8").split(find).length - 1;
  const text = JSON.stringify(find);
  if (count !== 1) missing.unshift(`${file} has ${text} ${count} times, want exactly once.`);
  if (find === replace) missing.unshift(`${file}: the replacement of ${text} is the same text.`);
  return missing;
}

/**
 * Reads the lists `tests/mutants/*.json` below `root`, or only the one with a name.
 * @throws Error naming everything that is wrong with them, or the lists that there are
 */
export function readFaults(root: string, list?: string): Fault[] {
  const dir = join(root, "tests/mutants");
  const problems: string[] = [];
  const names = readdirSync(dir).filter((name) => name.endsWith(".json"));
  const chosen = names.filter((name) => list === undefined || name === `${list}.json`);
  if (chosen.length === 0) throw new Error(`Got the list "${list}", want one of ${names.join(", ")} without ".json".`);
  const faults = chosen.flatMap((name) => {
    const list = z.array(Fault).safeParse(JSON.parse(readFileSync(join(dir, name), "utf8")));
    if (!list.success) problems.push(`tests/mutants/${name}: ${z.prettifyError(list.error)}`);
    const read = list.data ?? [];
    problems.push(...read.flatMap((fault) => problemsOf(fault, root).map((line) => `tests/mutants/${name}: ${line}`)));
    return read;
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return faults;
}
