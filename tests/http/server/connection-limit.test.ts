import { spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { CONNECTION_LIMIT } from "#lib/http/http-limits.ts";
import { connectionLimit } from "#lib/http/server/connections/connection-limit.ts";
import { get } from "./served.ts";

it.each([
  [Number.POSITIVE_INFINITY, CONNECTION_LIMIT],
  [1_048_576, CONNECTION_LIMIT],
  [4_096, 2_946],
  [1_024, 437],
  [256, 53],
  [50, 1],
])("of %d files, connections may take %d", (openFiles, wanted) => {
  expect(connectionLimit(openFiles)).toBe(wanted);
});

/** A server that may open so many files. @returns its port */
async function serveWith(openFiles: number): Promise<number> {
  const program = join(import.meta.dirname, "programs/serve-few-files.ts");
  const child = spawn("sh", ["-c", `ulimit -n ${openFiles} && exec "$0" "$1"`, process.execPath, program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const [line] = await once(child.stdout, "data");
  return Number(line);
}

function connect(port: number, localAddress: string) {
  const socket = createConnection({ port, host: "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  return socket;
}

it("one address that opens more connections than there are files for keeps nobody out", async () => {
  const port = await serveWith(200);
  for (let count = 0; count < 300; count++) {
    const socket = connect(port, "127.0.0.3").on("error", () => undefined);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nX");
    await once(socket, "connect");
  }
  for (const path of ["/1", "/2", "/3"]) {
    const socket = connect(port, "127.0.0.4");
    socket.end(get(path));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*served$/s);
  }
}, 60_000);
