import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { spawnGroup } from "#tests/process-group.ts";

/** Milliseconds until a service listens. It may have to build and to unpack Chromium first. */
const START_TIMEOUT_MS = 500_000;

export type Service = {
  origin: string;
  port: number;
  /** The process of the command, which is the one that serves: `npm start` replaces its shell. */
  npm: ChildProcess;
  /** Everything printed so far. */
  output: () => string;
  /**
   * Sends SIGTERM to the whole process group, or to npm alone, and waits until npm has ended and everything printed is read.
   * @returns its exit code, and the milliseconds that it took
   */
  stop: (target?: "group" | "npm") => Promise<{ code: number | null; ms: number }>;
};

/**
 * Runs `npm start` on a free port, in this tree unless `dir` says otherwise, as this user unless `user` does, and waits until it
 * listens.
 * @throws Error with everything printed, where the command ends or does not listen in time
 */
export async function startService(
  env: Record<string, string> = {},
  dir = process.cwd(),
  user: { uid?: number; gid?: number } = {},
): Promise<Service> {
  const npm = spawnGroup(["npm", "start"], {
    ...user,
    cwd: dir,
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", SERVICE_LOG_LEVEL: "info", ...env },
  });
  let output = "";
  for (const stream of [npm.stdout, npm.stderr]) stream.on("data", (chunk) => (output += chunk));
  const port = await listeningPort(npm, () => output);
  const stop = async (target: "group" | "npm" = "group") => {
    const startedAt = performance.now();
    // "close" comes after "exit", when everything printed has been read.
    const closed = npm.exitCode === null ? once(npm, "close") : [npm.exitCode];
    const pid = npm.pid as number;
    process.kill(target === "group" ? -pid : pid, "SIGTERM");
    const [code] = await closed;
    return { code: code as number | null, ms: performance.now() - startedAt };
  };
  return { origin: `http://127.0.0.1:${port}`, port, npm, output: () => output, stop };
}

/** Waits for the line in which the service names its port. */
function listeningPort(npm: ChildProcess & { stdout: Readable }, output: () => string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const timer = setTimeout(() => reject(new Error(`npm start did not listen in time:\n${output()}`)), START_TIMEOUT_MS);
  const readPort = () => {
    const port = /listening on http:\/\/\S+:(\d+)/.exec(output())?.[1];
    if (port !== undefined) resolve(Number(port));
  };
  // "close" comes after "exit", when everything printed has been read.
  const fail = () => reject(new Error(`npm start ended with ${npm.exitCode ?? npm.signalCode}:\n${output()}`));
  npm.stdout.on("data", readPort);
  npm.once("close", fail);
  return promise.finally(() => {
    clearTimeout(timer);
    npm.stdout.off("data", readPort);
    npm.off("close", fail);
  });
}

/** A connection to which a test sends bytes. */
export class RawConnection {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  readonly closed: Promise<void>;

  constructor(port: number) {
    this.socket = createConnection({ port, host: "127.0.0.1" });
    this.socket.on("data", (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.once("close", () => resolve()));
  }

  send(text: string | Uint8Array): this {
    this.socket.write(text);
    return this;
  }

  get text(): string {
    return this.#received.toString("utf8");
  }

  /** Waits until the server closes the connection. @returns its first response */
  async answer(): Promise<RawAnswer> {
    await this.closed;
    return parseAnswer(this.text);
  }

  /** Waits for the first response, whether or not the server keeps the connection, and closes it. */
  async firstAnswer(): Promise<RawAnswer> {
    const isWhole = ({ headers, body }: RawAnswer) => Buffer.byteLength(body) >= Number(headers.get("content-length"));
    for await (const _chunk of this.socket)
      if (this.text.includes("\r\n\r\n") && isWhole(parseAnswer(this.text))) break;
    return parseAnswer(this.text);
  }
}

export type RawAnswer = { status: number; headers: Map<string, string>; body: string };

/** Parses the first response of a connection. */
export function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const headers = lines.map((header): [string, string] => {
    const colon = header.indexOf(":");
    return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
  });
  return { status: Number(line.split(" ")[1]), headers: new Map(headers), body: rest.join("\r\n\r\n") };
}

/** Sends one request that closes its connection. `head` has neither Host nor Connection. */
export async function exchangeRaw(port: number, head: string, body: string | Uint8Array = ""): Promise<RawAnswer> {
  const connection = new RawConnection(port);
  const [line, ...headers] = head.split("\n");
  connection.send([line, "Host: localhost", "Connection: close", ...headers, "", ""].join("\r\n"));
  return connection.send(body).answer();
}
