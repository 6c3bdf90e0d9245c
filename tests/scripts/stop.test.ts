import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";

const PROGRAM = join(import.meta.dirname, "programs/serve-until-signal.ts");

/** Longer than any test. */
const LONG_DELAY_MS = 600_000;

/** Signals closer together than a second count as one. */
const NEXT_SIGNAL_MS = 1_100;

/** Connections that wait to be accepted, of which the event loop accepts one in each pass. */
const WAITING = 30;

/** A client that keeps its connection. Each `ask` sends a request, and resolves to its status, or to how the connection ended. */
function connectClient(port: number) {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let received = Promise.withResolvers<string>();
  socket.on("data", (data) => received.resolve(String(data).slice(9, 12)));
  socket.on("error", (error: NodeJS.ErrnoException) => received.resolve(String(error.code)));
  socket.on("close", () => received.resolve("closed"));
  const ask = () => {
    received = Promise.withResolvers();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    return received.promise;
  };
  return { connected: once(socket, "connect"), ask };
}

/** Starts a server that has the delay, and ends with the test. */
async function startServer(drainDelayMs: number, options: string[] = [], busy = "") {
  const child = spawn(process.execPath, [...options, PROGRAM, String(drainDelayMs), busy], {
    env: { ...process.env, SERVICE_LOG_LEVEL: "info" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  const printed = (text: string) => expect.poll(() => output).toContain(text);
  await printed("\n");
  const port = /port (\d+)/.exec(output)?.[1];
  const ask = () => fetch(`http://127.0.0.1:${port}/`);
  return { child, ended, ask, printed, port: Number(port) };
}

it("a server with a drain delay serves on after a signal, until the next one", async () => {
  const { child, ended, ask, printed } = await startServer(LONG_DELAY_MS);
  expect((await ask()).status).toBe(200);
  // A supervisor and npm send the same signal at once.
  child.kill("SIGTERM");
  child.kill("SIGINT");
  await printed("no longer ready");
  await sleep(NEXT_SIGNAL_MS);
  const { status, headers } = await ask();
  expect([status, headers.get("connection")]).toEqual([200, "close"]);
  child.kill("SIGTERM");
  await printed("Stopped.");
  expect(await ended).toEqual([0, null]);
});

it("a server stops by itself once its drain delay is over, at once without one", async () => {
  const [without, short] = await Promise.all([startServer(0), startServer(1)]);
  without.child.kill("SIGTERM");
  // As from a terminal that was closed.
  short.child.kill("SIGHUP");
  expect(await without.ended).toEqual([0, null]);
  expect(await short.ended).toEqual([0, null]);
  await short.printed("serving for another 1 ms");
});

it("connections that wait when the listener closes are served", async () => {
  const { child, ended, port, printed } = await startServer(0, [], "before-close");
  child.kill("SIGTERM");
  await printed("busy");
  const clients = Array.from({ length: WAITING }, () => connectClient(port));
  await Promise.all(clients.map(({ connected }) => connected));
  const statuses = clients.map(({ ask }) => ask());
  child.stdin.write("\n");
  expect(await Promise.all(statuses)).toEqual(Array(WAITING).fill("200"));
  expect(await ended).toEqual([0, null]);
});

it("a request that arrives on a new connection after the listener has closed, while the thread is busy, is served", async () => {
  const { child, ended, port, printed } = await startServer(0, [], "after-close");
  const client = connectClient(port);
  await client.connected;
  child.kill("SIGTERM");
  await printed("busy");
  const status = client.ask();
  child.stdin.write("\n");
  expect(await status).toBe("200");
  expect(await ended).toEqual([0, null]);
});

it("a server stops while a lookup goes on that nothing can interrupt", async () => {
  const folder = mkdtempSync(join(tmpdir(), "platen-stop-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  // It takes a thread for ever, as a silent name server takes one for long: nobody opens the other end.
  const hang = `data:text/javascript,import { open } from "node:fs"; open(${JSON.stringify(pipe)}, "r", () => undefined)`;
  const { child, ended, printed } = await startServer(0, ["--import", hang]);
  child.kill("SIGTERM");
  await printed("Stopped.");
  expect(await ended).toEqual([0, null]);
});
