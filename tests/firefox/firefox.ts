#!/usr/bin/env node
import { type ChildProcess, spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { type RawData, WebSocket, WebSocketServer } from "ws";

// Playwright starts this program in place of Firefox. It starts Firefox, and passes the messages of WebDriver BiDi on. Playwright
// needs a command that Firefox 153 does not have, and ids of downloads, which Firefox 153 does not send. This program adds both.

type Command = { id: number; method: string; params: Record<string, unknown> };
type Answer = { id?: number; type: string; result?: unknown; message?: string };
type Download = { method?: string; params?: { url: string; download?: string } };

/** What Firefox prints once it can be driven. Playwright waits for the same line. */
const LISTENING = "WebDriver BiDi listening on ";

const UNKNOWN_COMMAND = "emulation.setMediaFeaturesOverride";

/** The values of the preference that overrides the colour scheme, for content only. */
const SCHEMES: Record<string, number> = { dark: 0, light: 1 };
const SCHEME_OF_SYSTEM = 2;

/** Higher than the ids of Playwright's commands, so that no answer is taken for another. */
const FIRST_OWN_ID = 1_000_000_000;

/** A connection of Playwright to Firefox. */
class Session {
  readonly #client: WebSocket;
  readonly #firefox: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = FIRST_OWN_ID;

  constructor(client: WebSocket, address: string) {
    this.#client = client;
    this.#firefox = new WebSocket(`${address}/session`, { perMessageDeflate: false });
    const isOpen = new Promise((resolve) => this.#firefox.once("open", resolve));
    client.on("message", async (data) => {
      await isOpen;
      await this.#read(data);
    });
    this.#firefox.on("message", (data) => this.#answer(data));
    this.#firefox.on("close", () => client.close());
    this.#firefox.on("error", () => client.close());
    client.on("close", () => this.#firefox.close());
  }

  async #read(data: RawData): Promise<void> {
    const command = JSON.parse(data.toString()) as Command;
    if (command.method !== UNKNOWN_COMMAND) return this.#firefox.send(data.toString());
    const { id } = command;
    const answer = await this.#setColorScheme(command).then(
      () => ({ id, type: "success", result: {} }),
      ({ message }: Error) => ({ id, type: "error", error: "unknown error", message }),
    );
    this.#client.send(JSON.stringify(answer));
  }

  #answer(data: RawData): void {
    const answer = JSON.parse(data.toString()) as Answer & Download;
    const take = this.#waiting.get(answer.id ?? 0);
    if (take) {
      this.#waiting.delete(answer.id ?? 0);
      take(answer);
    } else this.#client.send(this.#isDownload(answer) ? JSON.stringify(answer) : data.toString());
  }

  /** Gives a download its id. The address is enough where it is that of a blob. */
  #isDownload({ method, params }: Download): boolean {
    if (!params || !method?.startsWith("browsingContext.download")) return false;
    params.download ??= params.url;
    return true;
  }

  async #ask(method: string, params: object): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, resolve);
    this.#firefox.send(JSON.stringify({ id, method, params }));
    const { type, result, message } = await promise;
    if (type === "error") throw new Error(`Firefox refused ${method}: ${message}`);
    return result;
  }

  /** For all pages: a worker of Playwright has a Firefox of its own, and one test at a time. */
  async #setColorScheme({ params }: Command): Promise<void> {
    const { "prefers-color-scheme": scheme } = params.features as { "prefers-color-scheme"?: string | null };
    const value = SCHEMES[scheme ?? ""] ?? SCHEME_OF_SYSTEM;
    const tree = await this.#ask("browsingContext.getTree", { "moz:scope": "chrome" });
    await this.#ask("script.evaluate", {
      expression: `Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", ${value})`,
      target: { context: (tree as { contexts: { context: string }[] }).contexts[0]?.context },
      awaitPromise: true,
    });
  }
}

/** Listens for Playwright, and prints the address as Firefox does. */
function listen(address: string): void {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (client) => new Session(client, address));
  server.on("listening", () => console.error(`${LISTENING}ws://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

function start(executable: string): ChildProcess {
  // Without system access, only preferences that were set before the start can be changed.
  const firefox = spawn(executable, [...process.argv.slice(2), "--remote-allow-system-access"], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  createInterface({ input: firefox.stderr as NodeJS.ReadableStream }).on("line", (line) => {
    if (line.startsWith(LISTENING)) listen(line.slice(LISTENING.length));
    else console.error(line);
  });
  return firefox;
}

start(process.env.FIREFOX ?? "firefox").on("exit", (code) => process.exit(code ?? 1));
