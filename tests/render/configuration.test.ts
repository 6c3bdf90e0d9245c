import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { prepareChromium } from "#lib/render/chromium/install.ts";
import { checkRendering, renderPicture, shutDown, warmUp } from "#lib/render/render.ts";
import { SOON_MS } from "#tests/pace.ts";
import { captureLog } from "../captured-log.ts";
import {
  browserPid,
  emptyDataDir,
  groupMembers,
  ownDataDir,
  prepareMachine,
  removeDir,
  SHARED_DATA_DIR,
} from "./rig.ts";

const JOB = { html: "<p>x", width: 100, height: 100 };
let dir: string;

beforeAll(async () => {
  await prepareMachine();
  dir = emptyDataDir();
});

afterEach(() => vi.unstubAllEnvs());

afterAll(async () => {
  await shutDown();
  removeDir(dir);
});

describe("a bad configuration", () => {
  test("answers misconfigured, names every bad variable and what it wants, and repeats no value", async () => {
    vi.stubEnv("SERVICE_RENDER_TIMEOUT_MS", 'soon, want it "secret"');
    vi.stubEnv("SERVICE_CHROMIUM_SANDBOX", "secret");
    const error = await renderPicture(JOB).catch((caught) => caught);
    expect(error).toMatchObject({ code: "misconfigured", status: 503 });
    expect(error.message).toContain("SERVICE_RENDER_TIMEOUT_MS: want a number of milliseconds, 100 to 300000");
    expect(error.message).toContain('SERVICE_CHROMIUM_SANDBOX: want "auto", "on", "off"');
    expect(error.message).not.toContain("secret");
  });

  test("is never ready, however recent the last picture, until it is corrected", async () => {
    await renderPicture(JOB);
    vi.stubEnv("SERVICE_RENDER_QUEUE", "-1");
    expect(await checkRendering()).toMatchObject({
      ok: false,
      message: expect.stringContaining("SERVICE_RENDER_QUEUE: want"),
    });
    const lines = captureLog();
    await expect(warmUp()).resolves.toBeUndefined();
    const line = JSON.parse(lines[0] ?? "");
    expect(line).toMatchObject({
      level: "error",
      code: "misconfigured",
      reason: expect.stringContaining("SERVICE_RENDER_QUEUE"),
    });
    expect(line).not.toHaveProperty("err");
    vi.unstubAllEnvs();
    expect(await checkRendering()).toEqual({ ok: true });
  });
});

describe("another Chromium", () => {
  test("that does not exist is misconfigured, and the bundled one serves once it is unset", async () => {
    vi.stubEnv("SERVICE_CHROMIUM_PATH", join(dir, "absent"));
    const error = await renderPicture(JOB).catch((caught) => caught);
    expect(error).toMatchObject({ code: "misconfigured" });
    expect(error.message).not.toContain(dir);
    vi.unstubAllEnvs();
    await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
  });

  test("that ends at once makes renders unavailable, each within bounded time", async () => {
    writeFileSync(join(dir, "broken"), "#!/bin/sh\nexit 3\n");
    chmodSync(join(dir, "broken"), 0o700);
    vi.stubEnv("SERVICE_CHROMIUM_PATH", join(dir, "broken"));
    const startedAt = performance.now();
    for (let count = 0; count < 3; count++)
      await expect(renderPicture(JOB)).rejects.toMatchObject({ code: "unavailable" });
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  });

  test("that cannot make frames on demand renders by ordinary screenshots", async () => {
    // The bundled browser without the flags for frames stands for full Chrome.
    const { executable, libraries } = await prepareChromium({ dataDir: SHARED_DATA_DIR });
    writeFileSync(
      join(dir, "ordinary"),
      `#!/bin/bash\nargs=()\nfor a in "$@"; do [[ $a == --enable-begin-frame-control || $a == --run-all-* ]] || args+=("$a"); done\nLD_LIBRARY_PATH=${libraries} exec ${executable} "\${args[@]}"\n`,
    );
    chmodSync(join(dir, "ordinary"), 0o700);
    const bundled = await renderPicture({ ...JOB, html: "<body style='background:#123456'>flat" });
    vi.stubEnv("SERVICE_CHROMIUM_PATH", join(dir, "ordinary"));
    for (let count = 0; count < 3; count++) {
      const { png } = await renderPicture({ ...JOB, html: "<body style='background:#123456'>flat" });
      expect(png.equals(bundled.png)).toBe(true);
    }
  });
});

test("a changed configuration replaces the browser, and no process of the old one is left", async () => {
  await renderPicture(JOB);
  const pid = browserPid();
  const own = await ownDataDir();
  vi.stubEnv("SERVICE_DATA_DIR", own);
  await renderPicture(JOB);
  expect(browserPid()).not.toBe(pid);
  expect(groupMembers(pid)).toEqual([]);
  vi.unstubAllEnvs();
  await renderPicture(JOB);
  removeDir(own);
});

test("a data folder that cannot be used fails all waiting renders at once, until it can be used", async () => {
  const place = join(dir, "place");
  writeFileSync(place, "");
  vi.stubEnv("SERVICE_DATA_DIR", place);
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => renderPicture(JOB).catch((error) => error.code)));
  expect(outcomes).toEqual(Array(5).fill("unavailable"));
  expect(await checkRendering()).toMatchObject({ ok: false, message: expect.stringContaining("a file stands") });
  rmSync(place);
  mkdirSync(place);
  await expect(renderPicture(JOB)).resolves.toHaveProperty("png");
  expect(await checkRendering()).toEqual({ ok: true });
});

test("SERVICE_CHROMIUM_SANDBOX=on means a sandbox, or an error that says what to do", async () => {
  vi.stubEnv("SERVICE_CHROMIUM_SANDBOX", "on");
  const isRoot = process.getuid?.() === 0;
  const error = await renderPicture(JOB).catch((caught) => caught);
  if (!isRoot && !(error instanceof Error)) {
    expect(readFileSync(`/proc/${browserPid()}/cmdline`, "utf8")).not.toContain("--no-sandbox");
    return;
  }
  expect(error).toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/SERVICE_CHROMIUM_SANDBOX is "on"/),
  });
  if (isRoot) expect(error.message).toContain("ordinary user");
});
