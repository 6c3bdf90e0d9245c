import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { prepareFontconfig } from "#lib/fonts/fontconfig.ts";
import { identityOf, killGroup, ownerTag } from "#lib/processes.ts";
import { launchBrowser } from "#lib/render/chromium/launch.ts";
import { sweepForeign, sweepOrphans } from "#lib/render/chromium/orphans.ts";
import {
  emptyDataDir,
  eventually,
  groupMembers,
  ownDataDir,
  prepareMachine,
  processesNaming,
  removeDir,
  type Server,
  SHARED_DATA_DIR,
  startServer,
  workerDirs,
} from "../rig.ts";
import { chromiumScript } from "./chromium-script.ts";

let dataDir: string;
const started: Server[] = [];

beforeAll(prepareMachine);

beforeEach(async () => {
  dataDir = await ownDataDir();
});

afterEach(async () => {
  for (const { child } of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
  await eventually(() => processesNaming(dataDir).length === 0);
  removeDir(dataDir);
});

async function start(): Promise<Server> {
  const server = await startServer(dataDir);
  started.push(server);
  return server;
}

async function killServer({ child }: Server): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("a server that is killed with SIGKILL", () => {
  test("leaves no browser behind: the closing pipe ends it", async () => {
    const server = await start();
    expect(groupMembers(server.browserPid).length).toBeGreaterThan(1);
    await killServer(server);
    await eventually(() => groupMembers(server.browserPid).length === 0);
    expect(processesNaming(dataDir)).toEqual([]);
  });

  test("leaves a stopped browser, which the next start kills and whose folder it removes", async () => {
    const first = await start();
    process.kill(-first.browserPid, "SIGSTOP");
    await killServer(first);
    expect(groupMembers(first.browserPid).length).toBeGreaterThan(1);
    const second = await start();
    await eventually(() => groupMembers(first.browserPid).length === 0);
    expect(workerDirs(dataDir)).toHaveLength(1);
    expect(groupMembers(second.browserPid).length).toBeGreaterThan(1);
  });
});

test("a server that ends by a signal that it does not handle leaves no browser behind", async () => {
  const server = await start();
  server.child.kill("SIGTERM");
  await once(server.child, "exit");
  await eventually(() => groupMembers(server.browserPid).length === 0);
});

test("a server that exits during its work kills even a stopped browser, and removes its folder", async () => {
  const server = await start();
  process.kill(-server.browserPid, "SIGSTOP");
  server.child.stdin?.write("exit\n");
  const [code] = await once(server.child, "exit");
  expect(code).toBe(3);
  await eventually(() => groupMembers(server.browserPid).length === 0);
  expect(workerDirs(dataDir)).toEqual([]);
});

test("a process of a browser's group that outlives the browser is killed before the browser counts as gone", async () => {
  const browser = await launchBrowser(
    {
      chromium: {
        executable: await chromiumScript(dataDir, "sleep 600 2>/dev/null 3>&- 4>&- &"),
        libraries: undefined,
      },
      dataDir,
      fontconfig: await prepareFontconfig(SHARED_DATA_DIR),
      sandboxed: false,
    },
    AbortSignal.timeout(60_000),
  );
  const leader = browser.pid ?? 0;
  onTestFinished(() => killGroup(leader));
  const isSleeping = () => groupMembers(leader).some((pid) => readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n");
  expect(isSleeping()).toBe(true);
  process.kill(leader, "SIGKILL");
  await browser.gone;
  await eventually(() => groupMembers(leader).length === 0);
});

test("a browser that cannot be recorded, because the disk has filled up, is ended", async () => {
  const options = {
    chromium: { executable: await chromiumScript(dataDir, ":"), libraries: undefined },
    dataDir,
    fontconfig: await prepareFontconfig(SHARED_DATA_DIR),
    sandboxed: false,
  };
  const write = vi.spyOn(fs, "writeFileSync").mockImplementation(() => {
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    write.mockRestore();
    syncBuiltinESMExports();
  });
  await expect(launchBrowser(options, AbortSignal.timeout(60_000))).rejects.toMatchObject({
    cause: { code: "ENOSPC" },
  });
  expect(processesNaming(dataDir)).toEqual([]);
  expect(workerDirs(dataDir)).toEqual([]);
});

test("two servers on one data folder leave each other's browser alone", async () => {
  const first = await start();
  const second = await start();
  expect(await sweepOrphans(dataDir)).toBe(0);
  expect(workerDirs(dataDir)).toHaveLength(2);
  for (const { browserPid } of [first, second]) expect(groupMembers(browserPid).length).toBeGreaterThan(1);
});

describe("sweeping", () => {
  let bystander: ReturnType<typeof spawn>;
  let empty: string;

  beforeEach(async () => {
    empty = emptyDataDir();
    bystander = spawn("sleep", ["60"], { detached: true });
    await once(bystander, "spawn");
  });

  afterEach(() => {
    bystander.kill("SIGKILL");
    removeDir(empty);
  });

  function leave(name: string, record: unknown): string {
    const dir = join(empty, "workers", name);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "browser.json"), typeof record === "string" ? record : JSON.stringify(record));
    return dir;
  }

  const deadTag = () => `${ownerTag().split("-")[0]}-${process.pid}-1`;

  test("never kills a process that has the process id of an ended browser", async () => {
    const dir = leave(`${deadTag()}.aa`, { pid: bystander.pid, start: "1" });
    expect(await sweepOrphans(empty)).toBe(0);
    expect(identityOf(bystander.pid ?? 0)).toBeDefined();
    expect(existsSync(dir)).toBe(false);
  });

  test("kills the recorded browser of a dead server, when process id and start time match", async () => {
    leave(`${deadTag()}.aa`, identityOf(bystander.pid ?? 0));
    expect(await sweepOrphans(empty)).toBe(1);
    await eventually(() => identityOf(bystander.pid ?? 0) === undefined);
  });

  test("removes unreadable records and kills nothing", async () => {
    const dirs = ["", "null", "{", '{"pid":-1,"start":"1"}', '{"pid":0,"start":"0"}'].map((text, index) =>
      leave(`${deadTag()}.a${index}`, text),
    );
    expect(await sweepOrphans(empty)).toBe(0);
    expect(dirs.filter((dir) => existsSync(dir))).toEqual([]);
  });

  test("leaves the folders of a live server, and those of another container until they are ten minutes old", async () => {
    const own = leave(`${ownerTag()}.aa`, identityOf(bystander.pid ?? 0));
    const foreign = leave("1-7-1.aa", identityOf(bystander.pid ?? 0));
    const sweep = async () => {
      await sweepOrphans(empty);
      await sweepForeign(empty, async () => undefined);
    };
    await sweep();
    expect([existsSync(own), existsSync(foreign)]).toEqual([true, true]);
    const longAgo = new Date(Date.now() - 11 * 60_000);
    utimesSync(foreign, longAgo, longAgo);
    utimesSync(own, longAgo, longAgo);
    await sweep();
    expect([existsSync(own), existsSync(foreign)]).toEqual([true, false]);
    expect(identityOf(bystander.pid ?? 0)).toBeDefined();
  });

  test("leaves an old folder of another container whose server marks it, because a clock was set", async () => {
    const [alive, silent] = ["1-7-1.aa", "1-8-1.aa"].map((name) => leave(name, null)) as [string, string];
    const longAgo = new Date(Date.now() - 60 * 60_000);
    for (const dir of [alive, silent]) utimesSync(dir, longAgo, longAgo);
    await sweepOrphans(empty);
    expect([existsSync(alive), existsSync(silent)]).toEqual([true, true]);
    // Each folder has a pause of its own. Two marks in one millisecond would count as none.
    let marks = 0;
    await sweepForeign(empty, async () => {
      const at = new Date(Date.now() + ++marks * 1_000);
      utimesSync(alive, at, at);
    });
    expect([existsSync(alive), existsSync(silent)]).toEqual([true, false]);
  });
});
