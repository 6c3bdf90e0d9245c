import { globSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { ErrorAnswer } from "#lib/schemas/error.ts";
import { FILE_LIST } from "#scripts/build/build-files.ts";
import type { Service } from "./service.ts";
import { failedStart, STARTS_TIMEOUT_MS, start } from "./started.ts";
import { copyTree, cutBuild, isBuilt, removeTree, signalBuild } from "./tree.ts";

/** Two concurrent builds on a busy machine, in milliseconds. */
const BUILDS_TIMEOUT_MS = 600_000;

vi.setConfig({ testTimeout: STARTS_TIMEOUT_MS });

describe("a tree that was never built", () => {
  /** Chromium is unpacked once for all tests. */
  const env = { SERVICE_DATA_DIR: resolve(".data") };
  const hasBuilt = (service: Service) => service.output().includes("Building the service …");
  const readiness = async (origin: string): Promise<unknown> => (await fetch(`${origin}/readyz`)).json();
  let dir: string;

  beforeAll(() => {
    dir = copyTree();
    return () => removeTree(dir);
  });

  it(
    "is not built by a build that SIGTERM ends, which says so and is no error",
    async () => {
      const output = await signalBuild(dir, "SIGTERM");
      expect(output).toContain("SIGTERM: stopped during the build.");
      expect([output.includes('"fatal"'), isBuilt(dir)]).toEqual([false, false]);
    },
    BUILDS_TIMEOUT_MS,
  );

  it(
    "is built once by processes that start together, even after a killed build, and served by each",
    async () => {
      await cutBuild(dir);
      expect(isBuilt(dir)).toBe(false);
      const dead = /^\d+-(\d+)-/.exec(readFileSync(join(dir, ".platen", "build.lock"), "utf8"))?.[1];
      expect(Number(dead)).toBeGreaterThan(0);
      // Next writes this file at the beginning and reads it in the next build. A kill can come in between.
      truncateSync(join(dir, ".next", "diagnostics", "build-diagnostics.json"));
      const services = await Promise.all([start(env, dir), start(env, dir)]);
      expect(services.filter(hasBuilt)).toHaveLength(1);
      for (const { output } of services) expect(output()).not.toContain(`Waiting for process ${dead},`);
      for (const { origin } of services) await expect.poll(() => readiness(origin)).toEqual({ status: "ok" });
      for (const service of services) expect((await service.stop()).code).toBe(0);
      expect(isBuilt(dir)).toBe(true);
    },
    BUILDS_TIMEOUT_MS,
  );

  it(
    "is built at the first start after a copy that ended in the cache of the build",
    async () => {
      for (const file of globSync(join(dir, ".next/cache/**/*.sst"))) truncateSync(file, 1_000);
      rmSync(join(dir, ".platen", "build.stamp"));
      const service = await start(env, dir);
      await expect.poll(() => readiness(service.origin)).toEqual({ status: "ok" });
      expect(service.output()).toContain("without the cache of earlier builds");
      expect((await service.stop()).code).toBe(0);
      expect(isBuilt(dir)).toBe(true);
    },
    BUILDS_TIMEOUT_MS,
  );

  it("does not count as built when the build of Next is missing or another one", () => {
    expect(isBuilt(dir)).toBe(true);
    const id = join(dir, ".next", "BUILD_ID");
    const usual = readFileSync(id);
    writeFileSync(id, "another");
    expect(isBuilt(dir)).toBe(false);
    rmSync(id);
    expect(isBuilt(dir)).toBe(false);
    writeFileSync(id, usual);
    expect(isBuilt(dir)).toBe(true);
  });

  it.each([".next/server/instrumentation.js", ".platen/templates.json", ".platen/build.files"])(
    "does not count as built when a copy of %j was cut short",
    (path) => {
      const file = join(dir, path);
      const usual = readFileSync(file);
      truncateSync(file, 10);
      expect(isBuilt(dir)).toBe(false);
      writeFileSync(file, usual);
      expect(isBuilt(dir)).toBe(true);
    },
  );

  it.each([
    { fault: "fails to load", code: "throw new Error('broken on purpose')", reason: "broken on purpose" },
    { fault: "fails", code: "exports.register = () => Promise.reject(Error('no chunk'))", reason: "no chunk" },
    { fault: "is missing", code: undefined, reason: "it has no instrumentation.js" },
  ])("ends with the reason when its instrumentation $fault", async ({ code, reason }) => {
    const hook = join(dir, ".next", "server", "instrumentation.js");
    const list = join(dir, FILE_LIST);
    const usual = [hook, list].map((file) => ({ file, content: readFileSync(file, "utf8") }));
    if (code === undefined) rmSync(hook);
    else writeFileSync(hook, code);
    // Without this line, the tree would be built again.
    writeFileSync(list, readFileSync(list, "utf8").replace(/^\d+ .*\/instrumentation\.js\n/m, ""));
    const message = await failedStart(env, dir);
    for (const { file, content } of usual) writeFileSync(file, content);
    expect(message).toContain("npm start ended with 1:");
    const faults = message.split("\n").filter((line) => line.includes(reason));
    expect(faults).toEqual([expect.stringContaining("The build cannot be started: ")]);
  });

  it("takes settings from .env files, at its start and in its routes, and the environment overrides them", async () => {
    writeFileSync(join(dir, ".env"), "SERVICE_RENDER_QUEUE=many\nSERVICE_RENDER_TIMEOUT_MS=soon\nHOST=localhost\n");
    writeFileSync(join(dir, ".env.local"), "SERVICE_CHROMIUM_SANDBOX=perhaps\n");
    const { origin, output } = await start({ ...env, SERVICE_RENDER_TIMEOUT_MS: "5000" }, dir);
    const { error } = (await readiness(origin)) as ErrorAnswer;
    for (const told of [output(), error.message]) {
      expect(told).toContain("SERVICE_RENDER_QUEUE: ");
      expect(told).toContain("SERVICE_CHROMIUM_SANDBOX: ");
      expect(told).not.toContain("SERVICE_RENDER_TIMEOUT_MS");
    }
    expect(origin).toContain("127.0.0.1");
  });
});
