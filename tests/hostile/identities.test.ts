import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROWS } from "#tests/app/access/access-table.ts";
import { Client } from "#tests/e2e/client.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };
const NOBODY = "019a0000-0000-7000-8000-000000000000";

let dir: string;
let service: Service;
let client: Client;
/** Credentials that no route may accept, as headers. */
const unusable = new Map<string, Record<string, string>>();

async function newToken(cookie: string): Promise<{ id: string; token: string }> {
  const answer = await client.ask("POST", "/api/service/tokens", { body: { name: "script" }, cookie });
  return answer.json() as { id: string; token: string };
}

/** An administrator's credentials in every form that must not work. */
async function collectUnusable(): Promise<void> {
  const cookie = (await client.logIn(ADMIN.email, ADMIN.password)).cookie as string;
  const [name, secret = ""] = cookie.split("=");
  const ended = (await client.logIn(ADMIN.email, ADMIN.password)).cookie as string;
  await client.ask("POST", "/api/service/logout", { cookie: ended });
  const { token } = await newToken(cookie);
  const revoked = await newToken(cookie);
  await client.ask("DELETE", `/api/service/tokens/${revoked.id}`, { cookie });
  const changed = (text: string) => `${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  const entries: [string, Record<string, string>][] = [
    ["a cookie of an ended session", { cookie: ended }],
    ["a cookie with one character changed", { cookie: `${name}=${changed(secret)}` }],
    ["a cookie with the hash of its secret", { cookie: `${name}=${hash(secret).toString("base64url")}` }],
    ["a cookie of 10 kB", { cookie: `${name}=${secret.repeat(200)}` }],
    ["two cookies", { cookie: `${cookie}; ${cookie}` }],
    ["an empty cookie", { cookie: `${name}=` }],
    ["a token as a cookie", { cookie: `${name}=${token}` }],
    ["a session secret as a token", { authorization: `Bearer ${secret}` }],
    ["a revoked token", { authorization: `Bearer ${revoked.token}` }],
    ["a token with one character changed", { authorization: `Bearer ${changed(token)}` }],
    ["a token with the hash of its secret", { authorization: `Bearer svc_${hash(token).toString("hex")}` }],
    ["a good cookie beside an empty Authorization", { cookie, authorization: "" }],
    ["a good cookie beside Basic", { cookie, authorization: `Basic ${btoa(`${ADMIN.email}:${ADMIN.password}`)}` }],
    ["a good cookie beside a revoked token", { cookie, authorization: `Bearer ${revoked.token}` }],
  ];
  for (const [what, headers] of entries) unusable.set(what, headers);
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "platen-identities-"));
  service = await startService({
    SERVICE_AUTH_ENABLED: "true",
    DATABASE_URL: "",
    SERVICE_DATABASE_DIR: await copyEmptyDatabase(join(dir, "database")),
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
  });
  client = new Client(service.origin);
  await collectUnusable();
});

afterAll(async () => {
  if (service?.npm.exitCode === null) await service.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** The rows that need credentials: the table refuses an expired session there. */
const GUARDED = ROWS.filter(({ expected }) => expected.get("expired") === 401);

function addressOf(path: string): string {
  if (path.startsWith("/")) return path;
  const named = path.replace(/\b(own|other|nobody)\b/, NOBODY).replace(/\bslug$/, "blog/article");
  return `/api/service/${named}`;
}

describe("every operation that needs credentials", () => {
  it.each(GUARDED)("$name refuses each of the unusable ones", async ({ method, path }) => {
    expect(unusable.size).toBe(14);
    const statuses = await Promise.all(
      [...unusable].map(async ([what, headers]) => {
        const body = method === "GET" || method === "DELETE" ? undefined : {};
        return [what, (await client.ask(method, addressOf(path), { body, headers })).status] as const;
      }),
    );
    expect(statuses.filter(([, status]) => status !== 401)).toEqual([]);
  });
});
