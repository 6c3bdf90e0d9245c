import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { databaseConfig } from "#lib/config.ts";
import { closeDatabase } from "#lib/db/database.ts";
import { claimFolder, findEmbedded, releaseFolder } from "#lib/db/embedded/folder-lock.ts";

/** `hang` accepts and is silent, like a stopped machine. `hang up` accepts and closes, like a pooler without its server. */
export type RelayMode = "pass" | "refuse" | "hang" | "hang up";

type Target = { path: string } | { host: string; port: number };

/** A proxy between the service and its database that can simulate outages. */
export class Relay {
  #mode: RelayMode = "pass";
  readonly #server: Server;
  readonly #target: Target;
  readonly #listenOn: { path: string } | { host: string; port: number };
  readonly #pairs = new Set<[Socket, Socket]>();
  readonly #orphans = new Set<Socket>();
  #lastText: { text: string; isPassedOn: boolean } | undefined;
  /** How many connections were accepted. */
  connections = 0;

  constructor(target: Target, listenOn: { path: string } | { host: string; port: number }) {
    this.#target = target;
    this.#listenOn = listenOn;
    this.#server = createServer((client) => this.#join(client));
  }

  async listen(): Promise<number> {
    this.#server.listen(this.#listenOn);
    await once(this.#server, "listening");
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  #join(client: Socket): void {
    this.connections++;
    client.on("error", () => client.destroy());
    if (this.#mode === "hang up") return void client.resume().end();
    const upstream = createConnection(this.#target);
    upstream.on("error", () => client.destroy());
    const pair: [Socket, Socket] = [client, upstream];
    this.#pairs.add(pair);
    client.on("data", (chunk) => {
      if (this.#lastText === undefined || !chunk.includes(this.#lastText.text)) return;
      const { isPassedOn } = this.#lastText;
      this.#lastText = undefined;
      if (!isPassedOn) return void upstream.destroy();
      client.removeAllListeners("close");
      this.#pairs.delete(pair);
      this.#orphans.add(upstream.removeAllListeners("data").resume());
      client.destroy();
    });
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.on("data", (chunk) => to.write(chunk));
      from.on("close", () => to.destroy());
    }
    client.on("close", () => this.#pairs.delete(pair));
    if (this.#mode === "hang") for (const socket of pair) socket.pause();
  }

  /** Cuts the next connection whose client sends `text`, which the database still gets. Its connection stays open. */
  cutAfter(text: string): void {
    this.#lastText = { text, isPassedOn: true };
  }

  /** Cuts the next connection whose client sends `text`, which the database does not get. */
  cutBefore(text: string): void {
    this.#lastText = { text, isPassedOn: false };
  }

  /** Passes nothing on over the connections that are open, and closes none of them, as if the machine behind them had disappeared. */
  lose(): void {
    for (const pair of this.#pairs) for (const socket of pair) this.#orphans.add(socket.pause());
    this.#pairs.clear();
  }

  get open(): number {
    return this.#pairs.size;
  }

  async set(mode: RelayMode): Promise<void> {
    const before = this.#mode;
    this.#mode = mode;
    if (before === "refuse" && mode !== "refuse") await this.listen();
    for (const pair of this.#pairs) for (const socket of pair) mode === "hang" ? socket.pause() : socket.resume();
    if (mode === "pass" || mode === "hang") return;
    const closed = mode === "refuse" && this.#server.listening && once(this.#server, "close");
    if (closed) this.#server.close();
    for (const [client] of this.#pairs) client.destroy();
    await closed;
  }

  async close(): Promise<void> {
    for (const [client] of this.#pairs) client.destroy();
    for (const orphan of this.#orphans) orphan.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }
}

async function portOf(relay: Relay): Promise<number> {
  return await relay.listen();
}

/** Puts a relay between this process and the database of the tests. @returns it, and a function that removes it */
export async function useRelay(): Promise<{ relay: Relay; remove(): Promise<void> }> {
  await closeDatabase();
  const { url, dir } = databaseConfig();
  return url ? await relayPostgres(url) : await relayEmbedded(dir);
}

async function relayPostgres(url: string) {
  const { hostname, port } = new URL(url);
  const target = { host: hostname, port: Number(port || 5432) };
  const first = new Relay(target, { host: "127.0.0.1", port: 0 });
  const free = await portOf(first);
  await first.close();
  // A fixed port, so that it can be opened again after an outage.
  const relay = new Relay(target, { host: "127.0.0.1", port: free });
  await relay.listen();
  const through = new URL(url);
  through.host = `127.0.0.1:${free}`;
  vi.stubEnv("DATABASE_URL", through.href);
  const remove = async () => {
    await closeDatabase();
    vi.stubEnv("DATABASE_URL", url);
    await relay.close();
  };
  return { relay, remove };
}

async function relayEmbedded(dir: string) {
  const own = mkdtempSync(join(tmpdir(), "platen-relay-"));
  const socket = join(own, "relay.socket");
  const relay = new Relay({ path: findEmbedded(dir) }, { path: socket });
  const lock = await claimFolder({ dir: own, socket, onWait: () => undefined });
  await relay.listen();
  vi.stubEnv("SERVICE_DATABASE_DIR", own);
  const remove = async () => {
    await closeDatabase();
    vi.stubEnv("SERVICE_DATABASE_DIR", dir);
    await relay.close();
    releaseFolder(lock);
    rmSync(own, { recursive: true, force: true });
  };
  return { relay, remove };
}
