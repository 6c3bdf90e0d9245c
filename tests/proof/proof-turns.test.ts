import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readProof, startProof } from "#lib/proof/proof-runs.ts";
import type { runProof } from "#lib/proof/run.ts";
import { emptyDataDir, ownDataDir, prepareMachine, removeDir } from "#tests/render/rig.ts";
import { templateFolder } from "./one-template.ts";

/** The runs that have begun, by slug, and how each is ended. */
const begun = vi.hoisted(() => new Map<string, () => void>());

vi.mock("#lib/proof/run.ts", () => ({
  runProof: (async ([template]) => {
    await new Promise<void>((end) => begun.set(template?.slug ?? "", end));
    return [];
  }) satisfies typeof runProof,
}));

const SLUGS = ["one", "two", "three", "four", "five"];

let dataDir: string;
let templates: string;

beforeAll(async () => {
  await prepareMachine();
  dataDir = await ownDataDir();
  templates = templateFolder(emptyDataDir(), SLUGS);
  Object.assign(process.env, { SERVICE_DATA_DIR: dataDir, SERVICE_TEMPLATES_DIR: templates });
});

afterAll(() => {
  delete process.env.SERVICE_TEMPLATES_DIR;
  delete process.env.SERVICE_DATA_DIR;
  removeDir(dataDir);
  removeDir(templates);
});

/** Ends the run of a template, and waits until nobody waits for it. */
async function end(slug: string): Promise<void> {
  begun.get(slug)?.();
  await vi.waitFor(async () => expect((await readProof(slug)).run).toBeNull());
}

/** The slugs in the order in which their runs began, once there are so many. */
async function beginnings(count: number): Promise<string[]> {
  await vi.waitFor(() => expect(begun.size).toBeGreaterThanOrEqual(count));
  return [...begun.keys()];
}

it("another caller's proof waits for the one under way, not for all of a caller's, also where that caller asked for it first", async () => {
  for (const slug of SLUGS.slice(0, 4)) await startProof(slug, "many");
  await beginnings(1);
  await startProof("four", "other");
  await startProof("five", "other");
  expect(await beginnings(1)).toEqual(["one"]);
  await end("one");
  expect(await beginnings(2)).toEqual(["one", "four"]);
  for (const count of [2, 3, 4]) await end((await beginnings(count))[count - 1] ?? "");
  expect((await beginnings(5)).toSorted()).toEqual(SLUGS.toSorted());
  await end([...begun.keys()][4] ?? "");
  // Nothing that was asked for twice is drawn twice.
  begun.clear();
  await startProof("two", "other");
  expect(await beginnings(1)).toEqual(["two"]);
  await end("two");
});
