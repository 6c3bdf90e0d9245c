import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCookieSecret } from "#lib/access/secrets.ts";
import { PAGES, visit } from "./addresses.ts";
import { Client } from "./client.ts";
import { type Service, startService } from "./service.ts";

/** Nothing listens on it. */
const NO_DATABASE = "postgres://postgres@127.0.0.1:1/none";

/** The pages of open mode that do not depend on templates. */
const WITHOUT_TEMPLATES = ["/status", "/docs/errors", "/docs/templates", "/docs/operations"];

const ACCESS = /^\/(?:login|account|tokens|users|audit)/;

const AS_PAGE = {};
const AS_DATA = { rsc: "1" };

let service: Service;

afterAll(async () => {
  await service?.stop();
});

/** The log lines of a request, and everything else that was printed since `before`. */
async function printedFor(requestId: unknown, before: number): Promise<{ own: unknown[]; noise: string[] }> {
  const printed = () => service.output().slice(before).split("\n").slice(0, -1);
  await expect.poll(() => printed().some((line) => line.includes(String(requestId)))).toBe(true);
  const parsed = printed().map((line) => (line.startsWith("{") ? JSON.parse(line) : line));
  return {
    own: parsed.filter((line) => line.requestId === requestId),
    noise: parsed.filter((line) => typeof line === "string"),
  };
}

type Expected = { code: string; message: string; cookie?: string };

/** Expects a page to be unavailable, as HTML and as data, and to log one line. */
async function expectAway(path: string, { code, message, cookie }: Expected): Promise<void> {
  for (const headers of [AS_PAGE, AS_DATA]) {
    const before = service.output().length;
    const answer = await visit(new Client(service.origin), path, { headers, cookie });
    expect([path, headers, answer.status]).toEqual([path, headers, 503]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    const requestId = String(answer.headers["x-request-id"]);
    for (const words of ["This page is not available right now", message, requestId])
      expect([path, words, answer.text.includes(words)]).toEqual([path, words, true]);
    expect(answer.headers["content-security-policy"]).toContain("script-src 'self'");
    expect(answer.text).toContain("See the templates");
    const { own, noise } = await printedFor(requestId, before);
    expect(own).toMatchObject([{ level: "warn", method: "GET", status: 503, code, reason: expect.any(String) }]);
    expect([path, noise]).toEqual([path, []]);
  }
}

describe("in open mode, with a missing folder of templates,", () => {
  beforeAll(async () => {
    service = await startService({ SERVICE_AUTH_ENABLED: "false", SERVICE_TEMPLATES_DIR: "/no/such/folder" });
    return () => service.stop();
  });

  const open = PAGES.filter((path) => !ACCESS.test(path));

  it.each(open.filter((path) => !WITHOUT_TEMPLATES.includes(path)))("%s is unavailable", async (path) => {
    await expectAway(path, { code: "misconfigured", message: "SERVICE_TEMPLATES_DIR does not name a folder." });
  });

  it.each(WITHOUT_TEMPLATES)("%s is shown as usual", async (path) => {
    for (const headers of [AS_PAGE, AS_DATA])
      expect((await visit(new Client(service.origin), path, { headers })).status).toBe(200);
  });
});

describe("with the access layer on and the database away", () => {
  beforeAll(async () => {
    service = await startService({ SERVICE_AUTH_ENABLED: "true", DATABASE_URL: NO_DATABASE });
  });

  const cookie = `service_session=${createCookieSecret()}`;

  it.each(PAGES)("%s is unavailable with a session cookie", async (path) => {
    await expectAway(path, { code: "unavailable", message: "database", cookie });
  });

  it.each(PAGES)("%s is as usual without a session cookie, and needs no database", async (path) => {
    const before = service.output().length;
    const answer = await visit(new Client(service.origin), path);
    expect([path, answer.status]).toEqual([path, path === "/" || path === "/login" ? 200 : 307]);
    expect(service.output().slice(before)).not.toMatch(/refused|failed|Error/);
  });

  it("an unknown address is not found, with and without a cookie", async () => {
    for (const asked of [{}, { cookie }]) {
      const answer = await visit(new Client(service.origin), "/nothing", asked);
      expect(answer.status).toBe(404);
    }
  });
});
