import { test as base, expect, type Page } from "@playwright/test";
import { Faults } from "./faults.ts";
import { type GuardedServer, newSession, type Person, type Server, Servers } from "./servers.ts";

export { expect };

type Mode = "open" | "guarded";

type TestFixtures = {
  /** The server of relative addresses: `open` by default, or `test.use({ mode: "guarded" })`. */
  mode: Mode;
  /** Patterns of faults that the test causes on purpose. */
  tolerated: RegExp[];
  /**
   * Signs in on the guarded server. `admin` and `user` share a session per worker: a test that ends it needs a person
   * of its own.
   */
  signIn: (page: Page, who: "admin" | "user" | Person) => Promise<void>;
  /** Fails the test on a console error, a request to another host, or a layout shift. */
  faults: Faults;
};

type WorkerFixtures = {
  /** The environment of the servers. */
  environment: Record<string, string>;
  servers: Servers;
  open: Server;
  guarded: GuardedServer;
};

/** Starting a server may build the service first. */
const START_TIMEOUT_MS = 240_000;

/** Waits until the page is hydrated, and what was done before has been replayed. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => window.earlyEvents === undefined);
}

/** `Secure` as in production: Chromium accepts that from a loopback address over plain http. */
async function putSession(page: Page, origin: string, cookie: string): Promise<void> {
  const value = cookie.slice(cookie.indexOf("=") + 1);
  await page
    .context()
    .addCookies([{ name: "service_session", value, url: origin, httpOnly: true, secure: true, sameSite: "Lax" }]);
}

/** The `test` of all page tests: it starts servers with `npm start`, and checks what no page may do. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  environment: [{ SERVICE_RENDER_WORKERS: "1" }, { option: true, scope: "worker" }],
  servers: [
    async ({ environment }, use) => {
      const servers = new Servers(environment);
      await use(servers);
      await servers.stop();
    },
    { scope: "worker", timeout: START_TIMEOUT_MS },
  ],
  open: [async ({ servers }, use) => use(await servers.open()), { scope: "worker", timeout: START_TIMEOUT_MS }],
  guarded: [async ({ servers }, use) => use(await servers.guarded()), { scope: "worker", timeout: START_TIMEOUT_MS }],
  mode: ["open", { option: true }],
  tolerated: [[], { option: true }],
  baseURL: [
    async ({ servers, mode }, use) => use((await servers[mode]()).origin),
    { scope: "test", timeout: START_TIMEOUT_MS },
  ],
  signIn: async ({ guarded }, use) => {
    await use(async (page, who) => {
      const cookie = typeof who === "string" ? guarded.sessions[who] : await newSession(guarded, who);
      await putSession(page, guarded.origin, cookie);
    });
  },
  faults: [
    async ({ context, tolerated }, use) => {
      const faults = new Faults(tolerated);
      await faults.watch(context);
      await use(faults);
      expect(faults.list()).toEqual([]);
    },
    { auto: true },
  ],
});
