import { test as base, expect, type Page } from "@playwright/test";
import { Faults } from "./faults.ts";
import { type GuardedServer, newSession, type Person, type Server, Servers } from "./servers.ts";

export { expect };

type Mode = "open" | "guarded";

type TestFixtures = {
  /** Which server relative addresses are of: `test.use({ mode: "guarded" })`. `open` unless told otherwise. */
  mode: Mode;
  /** What the texts of faults match that the test brings about on purpose. */
  tolerated: RegExp[];
  /** Signs the page's browser in, by a new session, on the guarded server. */
  signIn: (page: Page, who: "admin" | "user" | Person) => Promise<void>;
  /** Fails the test when a page complains, asks another host, or moves by itself. */
  faults: Faults;
};

type WorkerFixtures = {
  /** What the servers are told beyond who is let in and where their data is. */
  environment: Record<string, string>;
  servers: Servers;
  open: Server;
  guarded: GuardedServer;
};

/** Starting may build first. */
const START_TIMEOUT_MS = 240_000;

/** Secure as the server's own, which Chromium takes from the loopback address over plain http. */
async function putSession(page: Page, origin: string, cookie: string): Promise<void> {
  const value = cookie.slice(cookie.indexOf("=") + 1);
  await page
    .context()
    .addCookies([{ name: "service_session", value, url: origin, httpOnly: true, secure: true, sameSite: "Lax" }]);
}

/** `test` of everything that looks at pages: servers as `npm start` brings them up, and what no page may do. */
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
      const person = typeof who === "string" ? guarded[who] : who;
      await putSession(page, guarded.origin, await newSession(guarded, person));
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
