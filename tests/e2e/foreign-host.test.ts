import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyEmptyDatabase } from "#tests/empty-database.ts";
import { ROUTES } from "../app/client.ts";
import { addressOf, PAGES, visit } from "./addresses.ts";
import { Client } from "./client.ts";
import { type Service, startService } from "./service.ts";

const FOREIGN = "evil.example";

/** Each header that could be taken for the host, once against the usual one and once all at once. */
const WAYS: Record<string, string>[] = [
  { host: FOREIGN, rsc: "1" },
  {
    host: FOREIGN,
    "x-forwarded-host": FOREIGN,
    "x-forwarded-proto": "https",
    forwarded: `host=${FOREIGN};proto=https`,
  },
];

const MARKDOWN = PAGES.filter((path) => path.startsWith("/docs")).map((path) => `${path}.md`);
const ADDRESSES = [...PAGES, ...ROUTES.map(addressOf), ...MARKDOWN, "/users/nobody", "/no/such/page", "/docs/"];

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };

type Mode = { name: string; env: Record<string, string>; headers?: Record<string, string> };

const GUARDED = {
  SERVICE_AUTH_ENABLED: "true",
  DATABASE_URL: "",
  SERVICE_ADMIN_EMAIL: ADMIN.email,
  SERVICE_ADMIN_PASSWORD: ADMIN.password,
};

const MODES: Mode[] = [
  // A name in SERVICE_HOSTS would be shown on the status page: it is the operator's.
  { name: "in open mode", env: { SERVICE_AUTH_ENABLED: "false", SERVICE_HOSTS: "*" } },
  { name: "to an administrator", env: GUARDED },
  {
    name: "to an administrator behind a trusted proxy",
    env: { ...GUARDED, SERVICE_TRUST_PROXY: "true" },
    headers: {
      origin: "https://cards.example.org",
      "x-forwarded-host": "cards.example.org",
      "x-forwarded-proto": "https",
    },
  },
];

describe.each(MODES)("$name", ({ env, headers = {} }) => {
  let dir: string;
  let service: Service;
  let client: Client;
  let cookie: string | undefined;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "platen-host-"));
    const database = await copyEmptyDatabase(join(dir, "database"));
    service = await startService({ SERVICE_RENDER_WORKERS: "1", SERVICE_DATABASE_DIR: database, ...env });
    client = new Client(service.origin);
    if (env.SERVICE_AUTH_ENABLED === "false") return;
    cookie = (await client.logIn(ADMIN.email, ADMIN.password, headers)).cookie;
    expect(cookie).toMatch(/^service_session=/);
  });

  afterAll(async () => {
    if (service?.npm.exitCode === null) await service.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Asks again while a busy machine answers 503. Every answer is searched for the host, not only the last one. */
  async function ask(path: string, way: Record<string, string>): Promise<{ status: number; isRepeated: boolean }> {
    let isRepeated = false;
    let status = 0;
    const again = async () => {
      const answer = await visit(client, path, { cookie, headers: way });
      isRepeated ||= JSON.stringify([answer.headers, answer.text]).includes(FOREIGN);
      status = answer.status;
      return status;
    };
    await expect.poll(again, { message: path }).not.toBe(503);
    return { status, isRepeated };
  }

  it("no page and no route repeats the host of a request", async () => {
    expect(ADDRESSES.length).toBeGreaterThan(40);
    for (const path of ADDRESSES) {
      const answers = await Promise.all(WAYS.map((way) => ask(path, way)));
      for (const [index, { status, isRepeated }] of answers.entries()) {
        expect([path, WAYS[index], status < 500, isRepeated]).toEqual([path, WAYS[index], true, false]);
      }
    }
  });

  it("examples of calls have an address, which is not that host", async () => {
    for (const path of ["/", "/docs", "/docs.md", "/templates/social/quote"]) {
      const { text } = await visit(client, path, { cookie, headers: { host: FOREIGN } });
      expect([path, text.includes(`http://localhost:${service.port}`)]).toEqual([path, true]);
    }
  });
});
