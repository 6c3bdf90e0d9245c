import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { ROWS } from "#tests/app/access/access-table.ts";
import { ADMIN, useGuardedService } from "./guarded-service.ts";

const NOBODY = "019a0000-0000-7000-8000-000000000000";

const guarded = useGuardedService();
/** Credentials that no route may accept, as headers. */
const unusable = new Map<string, Record<string, string>>();

async function newToken(cookie: string): Promise<{ id: string; token: string }> {
  const answer = await guarded.client.ask("POST", "/api/service/tokens", { body: { name: "script" }, cookie });
  return answer.json() as { id: string; token: string };
}

/** An administrator's credentials in every form that must not work. */
async function collectUnusable(): Promise<void> {
  const { client, cookie } = guarded;
  const [name, secret = ""] = cookie.split("=");
  const ended = (await client.logIn(ADMIN.email, ADMIN.password)).cookie as string;
  await guarded.client.ask("POST", "/api/service/logout", { cookie: ended });
  const { token } = await newToken(cookie);
  const revoked = await newToken(cookie);
  await guarded.client.ask("DELETE", `/api/service/tokens/${revoked.id}`, { cookie });
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

beforeAll(collectUnusable);

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
        return [what, (await guarded.client.ask(method, addressOf(path), { body, headers })).status] as const;
      }),
    );
    expect(statuses.filter(([, status]) => status !== 401)).toEqual([]);
  });
});
