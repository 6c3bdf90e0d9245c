import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  claimFolder,
  findEmbedded,
  isServed,
  releaseFolder,
  SOCKET_FOLDER_PREFIX,
  sendHeartbeat,
} from "#lib/db/embedded/folder-lock.ts";
import { socketPath } from "#lib/db/embedded/keep-folder.ts";
import { asOrdinaryUser, giveToOrdinaryUser } from "./ordinary-user.ts";
import { runProgram } from "./program.ts";

// A tenth of the usual times. The order of the events stays the same.
vi.mock("#lib/db/embedded/embedded-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/db/embedded/embedded-limits.ts")>();
  return { ...limits, SILENT_MS: 1_000, WATCH_INTERVAL_MS: 50, CLAIM_TIMEOUT_MS: 300 };
});

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "platen-test-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const claim = (onWait: (pid: number) => void = () => undefined) =>
  claimFolder({ dir, socket: join(dir, "test.socket"), onWait });

const claims = () => readdirSync(dir).filter((name) => name.endsWith(".json"));

/** Writes the claim of a server in another container, whose process cannot be seen from here. */
function placeForeign(): string {
  const file = join(dir, "server.1-7-7.abc.json");
  writeFileSync(file, JSON.stringify({ owner: "1-7-7", pid: 7, boot: "another", socket: join(dir, "foreign.socket") }));
  return file;
}

describe("the folder of the embedded database", () => {
  it("belongs to one of several servers that start at the same moment, also after the owner was killed", async () => {
    for (let round = 0; round < 2; round++) {
      const startAt = String(Date.now() + 500);
      const programs = Array.from({ length: 4 }, () => runProgram("claim", { args: [dir, startAt] }));
      await expect
        .poll(() => programs.filter((program) => program.output() !== "").length, { timeout: 60_000 })
        .toBe(programs.length);
      const winners = programs.filter((program) => program.output() === "mine\n");
      const losers = programs.filter((program) => !winners.includes(program));
      expect(winners).toHaveLength(1);
      const [winner] = winners;
      for (const loser of losers) {
        expect(loser.output()).toContain(`in use by process ${winner?.process.pid}`);
        expect(loser.output()).toContain("DATABASE_URL");
      }
      expect(claims()).toHaveLength(1);
      winner?.process.kill("SIGKILL");
      await winner?.ended;
    }
    releaseFolder(await claim());
    expect(claims()).toEqual([]);
  }, 180_000);

  it("is not kept by the claim of a command that root has run and that was killed", async () => {
    const left = placeForeign();
    giveToOrdinaryUser(dir);
    chmodSync(left, 0);
    const lock = await asOrdinaryUser(() => claim());
    expect(claims()).toEqual([basename(lock.file)]);
  });

  it("is not taken from a server that is paused", async () => {
    const program = runProgram("claim", { args: [dir, "0"] });
    await expect.poll(() => program.output(), { timeout: 60_000 }).toBe("mine\n");
    program.process.kill("SIGSTOP");
    await expect(claim()).rejects.toThrow(`in use by process ${program.process.pid}`);
    const folder = mkdtempSync(join(tmpdir(), SOCKET_FOLDER_PREFIX));
    const refused = claimFolder({ dir, socket: join(folder, "test.socket"), onWait: () => undefined });
    await expect(refused).rejects.toThrow("in use by process");
    expect(existsSync(folder), "a folder made for the socket is left").toBe(false);
  });

  it("has no owner when it was copied while a server runs, and commands with the copy do not reach that server", async () => {
    const copy = mkdtempSync(join(tmpdir(), "platen-test-"));
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
    const lock = await claim();
    writeFileSync(lock.socket, "");
    cpSync(dir, copy, { recursive: true });
    expect([isServed(dir), isServed(copy)]).toEqual([true, false]);
    const other = await claimFolder({ dir: copy, socket: join(copy, "other.socket"), onWait: () => undefined });
    expect(findEmbedded(copy)).toBe(other.socket);
    expect([isServed(dir), findEmbedded(dir)]).toEqual([true, lock.socket]);
    releaseFolder(other);
    releaseFolder(lock);
  });

  it("has its socket in the folder for temporary files where its disk has no sockets", async () => {
    expect(dirname(await socketPath(dir))).toBe(dir);
    expect(readdirSync(dir), "a socket is left").toEqual([]);
    // Nobody can make a socket there.
    const elsewhere = dirname(await socketPath("/sys"));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    expect(elsewhere).toContain(join(tmpdir(), SOCKET_FOLDER_PREFIX));
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("is served also where a link leads to it", async () => {
    const lock = await claim();
    writeFileSync(lock.socket, "");
    symlinkSync(dir, `${dir}-link`);
    onTestFinished(() => rmSync(`${dir}-link`));
    expect(isServed(`${dir}-link`)).toBe(true);
    releaseFolder(lock);
  });

  it("is not taken from a server of another container that sends heartbeats", async () => {
    const file = placeForeign();
    const beats = setInterval(() => sendHeartbeat({ file }), 30);
    const waitedFor: number[] = [];
    await expect(claim((pid) => waitedFor.push(pid))).rejects.toThrow("in use by process 7");
    clearInterval(beats);
    expect(waitedFor).toContain(7);
    expect(claims()).toEqual(["server.1-7-7.abc.json"]);
  });

  it("is taken from a silent server of another container, which then learns of it", async () => {
    const file = placeForeign();
    const lock = await claim();
    expect(JSON.parse(readFileSync(lock.file, "utf8"))).toMatchObject({ pid: process.pid });
    expect(claims()).toHaveLength(1);
    expect(sendHeartbeat({ file })).toBe(false);
  });

  it.each(["", '{"owner":"1-7-7","pi', "null"])(
    "is taken where a power failure has left a claim with %j as its content",
    async (content) => {
      writeFileSync(join(dir, "server.1-7-7.abc.json"), content);
      expect(isServed(dir)).toBe(false);
      expect(() => findEmbedded(dir)).toThrow("no embedded database is served here");
      const waitedFor: number[] = [];
      const lock = await claim((pid) => waitedFor.push(pid));
      expect(waitedFor).toContain(7);
      expect(claims()).toEqual([basename(lock.file)]);
    },
  );

  it("is not taken from a server whose claim cannot be read while it sends heartbeats", async () => {
    const file = join(dir, "server.1-7-7.abc.json");
    writeFileSync(file, "written by another version");
    const beats = setInterval(() => sendHeartbeat({ file }), 30);
    await expect(claim()).rejects.toThrow("in use by process 7");
    clearInterval(beats);
  });

  it("is taken from a dead server whose process id another process has", async () => {
    const lock = await claim();
    const record = JSON.parse(readFileSync(lock.file, "utf8"));
    releaseFolder(lock);
    // The same process id with another start time.
    const owner = record.owner.replace(/\d+$/, "1");
    writeFileSync(join(dir, `server.${owner}.abc.json`), JSON.stringify({ ...record, owner }));
    await claim();
    expect(claims()).toHaveLength(1);
  });
});
