import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { inDecoder, prepareDecoder, stopDecoders } from "#lib/images/decoder/decoders.ts";
import { DECODER_POLL_MS, DECODER_SILENT_POLLS } from "#lib/images/image-limits.ts";
import { limitDecodings, limitHeaders } from "#lib/images/image-turns.ts";
import { pngChunk } from "#lib/images/png-first-frame.ts";
import { imagesFor, RenderImages } from "#lib/images/render-images.ts";
import { unlessEnded } from "#lib/render/chromium/process-tree.ts";
import { check, dataUrl, picture, textBomb, withChunks, withUInt32 } from "../files.ts";
import { cloudsOf, decoderPids, endlessWork, longWork } from "./decoder-processes.ts";

afterEach(stopDecoders);

const DRAWN = expect.any(Buffer);

/** The one process that works now. */
async function workingPid(): Promise<number> {
  await vi.waitFor(() => expect(decoderPids()).toHaveLength(1));
  return decoderPids()[0] as number;
}

/** The processor time that a process has taken, in clock ticks of 10 ms. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Waits until a process is in the middle of its work. It has these threads only then, also where its start takes long. */
async function untilBusy(pid: number): Promise<void> {
  const threads = `/proc/${pid}/task`;
  const isBusy = () => readdirSync(threads).some((id) => nameOf(`${threads}/${id}`) === "libvips worker");
  await vi.waitFor(() => expect(isBusy()).toBe(true), { timeout: 10_000 });
}

const nameOf = (thread: string) => unlessEnded(() => readFileSync(`${thread}/comm`, "utf8").trim(), "");

async function untilGone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 5_000 });
}

describe("work that takes longer than it may", () => {
  test("is ended, and the next image is decoded", async () => {
    expect(await endlessWork(500)).toEqual({ fault: expect.stringMatching(/^Got an image that takes too long/) });
    expect(await check(dataUrl("png", await picture(4, 4).png().toBuffer()))).toHaveProperty("pixels", 16);
  });

  test("may take time by the pixels of the image, so that large ones are decoded and small ones end soon", async () => {
    const limitOf = (pixels: number, hardPixels = 0) =>
      limitDecodings(async (limitMs) => limitMs, { pixels, hardPixels });
    expect(await limitOf(100)).toBeLessThan(2_100);
    expect(await limitOf(50e6)).toBeGreaterThan(5_000);
    expect(await limitOf(16e6, 16e6)).toBeGreaterThan(8_000);
    expect(await limitHeaders(async (limitMs) => limitMs)).toBe(2_000);
  });
});

test("an image of 16 bits a channel counts as twice as many pixels, because it takes twice as long", async () => {
  const pixelsOf = async (png: Promise<Buffer>) => {
    const images = new RenderImages("caller");
    const url = dataUrl("png", await png);
    await imagesFor(images, () => check(url));
    return images.pixels;
  };
  expect(await pixelsOf(picture(40, 30).png().toBuffer())).toBe(1_200);
  expect(await pixelsOf(picture(40, 30).toColourspace("rgb16").png().toBuffer())).toBe(2_400);
});

test("a file that takes long to inspect takes the time of its process, not of the thread that answers everyone", async () => {
  const data = textBomb(3_900_000).subarray(8, -4);
  const broken = pngChunk("zTXt", withUInt32(data, data.length - 4, 0));
  const url = dataUrl("png", withChunks(await picture(2, 2).png().toBuffer(), ...Array<Buffer>(9).fill(broken)));
  await check(dataUrl("png", await picture(2, 2).png().toBuffer()));
  const pid = await workingPid();
  const [ticks, { user }] = [ticksOf(pid), process.threadCpuUsage()];
  const images = await Promise.all(Array.from({ length: 20 }, () => check(url)));
  expect(images[0]).toEqual({ fault: expect.stringMatching(/more text once unpacked/) });
  expect((process.threadCpuUsage().user - user) / 10_000).toBeLessThan((ticksOf(pid) - ticks) / 2);
});

describe("when its process", () => {
  test.each(["SIGKILL", "SIGSEGV", "SIGSTOP"] as const)(
    "gets %s in the middle of its work, it is repeated",
    async (signal) => {
      const drawn = longWork();
      const pid = await workingPid();
      await untilBusy(pid);
      process.kill(pid, signal);
      expect(await drawn).toEqual(DRAWN);
      expect(decoderPids()).not.toContain(pid);
    },
  );

  test("takes seconds to start, as on a busy machine, it is waited for", async () => {
    const drawn = longWork();
    const pid = await workingPid();
    process.kill(pid, "SIGSTOP");
    await sleep(DECODER_POLL_MS * (DECODER_SILENT_POLLS + 4));
    process.kill(pid, "SIGCONT");
    expect(await drawn).toEqual(DRAWN);
    expect(decoderPids()).toEqual([pid]);
  });

  test("has ended while it waited, the next work gets another one", async () => {
    prepareDecoder();
    const pid = await workingPid();
    process.kill(pid, "SIGKILL");
    expect(await longWork()).toEqual(DRAWN);
  });

  test("crashes twice, the image is the reason and is refused", async () => {
    const drawn = endlessWork(60_000);
    for (let crash = 0; crash < 2; crash++) {
      const pid = await workingPid();
      await untilBusy(pid);
      process.kill(pid, "SIGSEGV");
      await untilGone(pid);
    }
    expect(await drawn).toEqual({ fault: expect.stringMatching(/^Got an image that crashes the decoder/) });
  });

  test("is ended from outside again and again, the image is not blamed", async () => {
    const drawn = endlessWork(60_000).catch((error: unknown) => error);
    for (let kill = 0; kill < 3; kill++) {
      const pid = await workingPid();
      await untilBusy(pid);
      process.kill(pid, "SIGKILL");
      await untilGone(pid);
    }
    expect(await drawn).toMatchObject({ name: "AppError", code: "unavailable" });
  });

  test("gets the signals that end a service, it finishes its work", async () => {
    const drawn = longWork();
    const pid = await workingPid();
    await untilBusy(pid);
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.kill(pid, signal);
    expect(await drawn).toEqual(DRAWN);
    expect(decoderPids()).toEqual([pid]);
  });
});

test("it is repeated for as many images as are decoded at once, and one process is kept", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  await Promise.all([longWork(), longWork()]);
  expect(decoderPids()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(decoderPids()).toHaveLength(1));
});

test("its process knows no secrets of the server, and ends before it where memory runs out", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://user:secret@db/platen");
  prepareDecoder();
  const pid = await workingPid();
  await inDecoder("readHeader", [await picture(4, 4).png().toBuffer()], 2_000);
  const names = readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .map((line) => line.split("=")[0]);
  expect(
    names.filter(
      (name) => !["", "LD_LIBRARY_PATH", "NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"].includes(name ?? ""),
    ),
  ).toEqual(["MALLOC_ARENA_MAX", "MALLOC_TRIM_THRESHOLD_"]);
  expect(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8").trim()).toBe("1000");
});

test("its process ends with a server that is killed, in the middle of its work too", async () => {
  const server = spawn(process.execPath, ["tests/images/programs/endless-work.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(server.stdout), "line");
  const pid = Number(line);
  await untilBusy(pid);
  server.kill("SIGKILL");
  await once(server, "exit");
  await untilGone(pid);
});

test("its process ends with a server that is killed after a question and before the answer", async () => {
  const decoder = fork("lib/images/decoder/program.ts", { serialization: "advanced", stdio: "ignore" });
  const [pid, clouds] = [decoder.pid as number, cloudsOf(6_000)];
  decoder.send({ id: 1, name: "tone", args: clouds });
  await untilBusy(pid);
  process.kill(pid, "SIGSTOP");
  await new Promise((resolve) => decoder.send("time", resolve));
  decoder.disconnect();
  process.kill(pid, "SIGCONT");
  const ended = once(decoder, "exit").then(() => "ended");
  expect(await Promise.race([ended, sleep(10_000, "works on")]).finally(() => decoder.kill("SIGKILL"))).toBe("ended");
});

test("an idle process does not keep its server from ending", async () => {
  const source = `import { prepareDecoder } from "#lib/images/decoder/decoders.ts"; prepareDecoder();`;
  const server = spawn(process.execPath, ["--input-type=module", "--eval", source], { stdio: "inherit" });
  expect(await Promise.race([once(server, "exit"), sleep(20_000)])).toEqual([0, null]);
});
