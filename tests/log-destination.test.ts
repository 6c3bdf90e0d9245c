import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fileSink, tellLosses } from "#lib/log/destination.ts";

/** Logs as many lines as its argument says, tells its parent, and ends by itself when that one disconnects. */
const LOGGER = `import { log } from "#lib/log.ts";
for (let line = 0; line < Number(process.argv[1]); line++) log().info({ line }, "x".repeat(200));
process.on("message", () => process.disconnect());
process.send("logged");`;

type Output = "pipe" | number;

/** @returns the process, once it has logged everything */
async function startLogger(lines: number, output: Output) {
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", LOGGER, String(lines)], {
    env: { ...process.env, SERVICE_LOG_LEVEL: "info", SERVICE_LOG_FORMAT: "json" },
    stdio: ["ignore", output, "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [outcome] = await Promise.race([once(child, "message"), once(child, "exit")]);
  expect(outcome).toBe("logged");
  return child;
}

/** @returns its exit code */
async function end(child: Awaited<ReturnType<typeof startLogger>>): Promise<number> {
  child.send("end");
  const [code] = await once(child, "exit");
  return code;
}

it("a log on a full disk does not end the process", async () => {
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  expect(await end(await startLogger(3_000, full))).toBe(0);
});

it("a log that nobody reads holds up nothing, is read later, and has its first lines as they were", async () => {
  const child = await startLogger(3_000, "pipe");
  child.stdout?.setEncoding("utf8");
  const text = child.stdout?.toArray().then((chunks) => chunks.join(""));
  expect(await end(child)).toBe(0);
  const lines = (await text)?.trim().split("\n") ?? [];
  expect(lines.length).toBeGreaterThan(500);
  expect(lines.length).toBeLessThan(3_000);
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(lines.map((_, number) => number));
});

it("a log whose reader is gone does not end the process", async () => {
  const child = await startLogger(10, "pipe");
  child.stdout?.destroy();
  expect(await end(child)).toBe(0);
  const late = await startLogger(0, "pipe");
  late.stdout?.destroy();
  expect(await end(late)).toBe(0);
});

/** A file that takes no more than 64 KiB until some of it is read. */
function smallFile() {
  const dir = mkdtempSync(join(tmpdir(), "platen-log-"));
  const path = join(dir, "file");
  execFileSync("mkfifo", [path]);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => {
    closeSync(descriptor);
    rmSync(dir, { recursive: true });
  });
  const bytes = Buffer.alloc(1_000_000);
  const read = () => bytes.toString("latin1", 0, readSync(descriptor, bytes));
  return { descriptor, read };
}

it("a file that is full has every line that was waiting, whole, once there is room, and the number of those that are lost", () => {
  const { descriptor, read } = smallFile();
  const write = tellLosses(fileSink(descriptor), (lost) => `lost ${lost}\n`);
  const line = (number: number) => `${number} ${"x".repeat(1_000)}\n`;
  for (let number = 0; number < 400; number++) write(line(number));
  let text = read();
  for (let number = 400; number < 410; number++) {
    write(line(number));
    text += read();
  }
  const lines = text.trim().split("\n");
  const lost = Number(lines.find((found) => found.startsWith("lost"))?.slice("lost ".length));
  expect(lost).toBeGreaterThan(10);
  const kept = lines.filter((found) => !found.startsWith("lost"));
  expect(kept).toHaveLength(410 - lost);
  expect(kept.every((found) => found.length === line(Number.parseInt(found, 10)).length - 1)).toBe(true);
  expect(kept.at(-1)).toBe(line(409).trim());
});
