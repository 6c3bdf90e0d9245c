import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { databaseConfig } from "#lib/config.ts";
import { Connection } from "#lib/db/connection.ts";
import { embeddedOptions } from "#lib/db/connection-options.ts";
import { START_TIMEOUT_MS } from "#lib/db/database-limits.ts";
import { readBackup } from "#lib/db/transfer/backup-file.ts";
import { loadTables } from "#lib/db/transfer/load-tables.ts";
import { backup, restore, verify } from "#scripts/database/commands.ts";
import { addUser, listUsers } from "../../access/people.ts";
import { backupFile, options, useBackups } from "./backups.ts";

/** Signals closer together than a second count as one. */
const NEXT_SIGNAL_MS = 1_100;

useBackups();

/** Starts `restore` with a database that accepts connections and never answers. @returns the command, once it waits for an answer */
async function startRestore(): Promise<{ child: ChildProcess; output: () => string }> {
  await backup(options());
  const silent = createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  const { port } = silent.address() as { port: number };
  const child = spawn(process.execPath, ["scripts/database/main.ts", "restore", backupFile()], {
    env: { ...process.env, DATABASE_URL: `postgres://platen@127.0.0.1:${port}/platen` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  await once(silent, "connection");
  return { child, output: () => output };
}

it.each(["SIGINT", "SIGTERM"] as const)(
  "a %s that arrives twice, as through npm, lets a command clean up",
  async (signal) => {
    const { child, output } = await startRestore();
    const ended = once(child, "close");
    child.kill(signal);
    // Two signals that wait at the same moment would be one for the process.
    await sleep(100);
    child.kill(signal);
    expect(await ended).toEqual([1, null]);
    expect(output()).toContain("The database cannot be reached");
  },
);

it("a second signal ends a command at once", async () => {
  const { child, output } = await startRestore();
  const ended = once(child, "close");
  child.kill("SIGTERM");
  // On a busy machine the first may be received late, so that the second counts as the same. The database is waited for four times as long.
  const signals = setInterval(() => child.kill("SIGTERM"), NEXT_SIGNAL_MS);
  onTestFinished(() => clearInterval(signals));
  expect(await ended).toEqual([130, null]);
  expect(output()).toBe("");
});

it("a command that is stopped while it reads a backup does not read on", async () => {
  await backup(options());
  const stopped = { ...options(true), signal: AbortSignal.abort() };
  await expect(verify(stopped)).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  // Not that a server uses the database, which is found out later.
  await expect(restore(stopped)).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
});

it("a restore that is stopped while it reads back what it wrote changes nothing", async () => {
  await backup(options());
  await addUser("ada");
  const stopping = new AbortController();
  async function* parts() {
    yield* readBackup(backupFile());
    stopping.abort();
  }
  const connection = await Connection.open(
    AbortSignal.timeout(START_TIMEOUT_MS),
    START_TIMEOUT_MS,
    embeddedOptions(databaseConfig().dir),
  );
  onTestFinished(() => connection.close());
  const loading = { parts: parts(), isReplacing: true, signal: stopping.signal, onProgress: () => undefined };
  await expect(loadTables(connection, loading)).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  expect(await listUsers()).toHaveLength(1);
});
