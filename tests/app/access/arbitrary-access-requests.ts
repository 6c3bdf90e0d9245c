import fc from "fast-check";
import { PASSWORD } from "../../access/people.ts";
import { HOST, METHODS, type Method, ORIGIN, ROUTES, type Sent } from "../client.ts";

/** The slug, ids and secrets that requests use. */
export type World = { slug: string; ids: string[]; sessions: string[]; tokens: string[] };

export type ArbitraryRequest = { method: Method; path: string; sent: Sent };

/** Text that a header can carry. */
const headerText = fc
  .string({ unit: "binary", maxLength: 40 })
  .map((text) => [...text].filter((char) => /[\x20-\x7e\x80-\xff]/.test(char)).join(""));

const mostly = <T>(usual: T, ...others: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight: 60, arbitrary: fc.constant(usual) }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));

/** Often empty, otherwise any mixture of known keys and values. */
function anyQuery(ids: string[]): fc.Arbitrary<string> {
  const keys = ["search", "sort", "page", "limit", "before", "action", "user", "since", "until", "format"];
  const value = fc.oneof(
    fc.constantFrom(
      ...ids,
      "-email",
      "lastLoginAt",
      "login",
      "csv",
      "2026-11-22",
      "2026-02-30",
      "1",
      "50",
      "0",
      "-1",
      "1e3",
      "999999999999",
      "%",
      "\\",
      "\0",
    ),
    fc.string({ unit: "binary" }),
  );
  const pair = fc.tuple(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...keys) }, { weight: 1, arbitrary: fc.string() }),
    value,
  );
  const text = fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => `?${new URLSearchParams(pairs)}`);
  return fc.oneof(fc.constant(""), text);
}

function anyPath({ ids }: World): fc.Arbitrary<string> {
  const id = fc.oneof(
    fc.constantFrom(...ids),
    fc.string({ minLength: 1, unit: "binary" }),
    fc.constantFrom("'", "%00", ".."),
  );
  const segments = fc.tuple(fc.constantFrom(...ROUTES), id, anyQuery(ids));
  return segments.map(([route, text, query]) => {
    const encoded = encodeURIComponent(text.toWellFormed());
    return `${route.replace("[id]", encoded).replace("[...slug]", encoded).replace("[[...path]]", encoded)}${query}`;
  });
}

/** Credentials: valid, invalid, none, or several at once. */
function anyCredentials({ sessions, tokens }: World): fc.Arbitrary<Record<string, string | undefined>> {
  const cookie = fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom(...sessions).map((secret) => `service_session=${secret}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...sessions, ...tokens).map((s) => `service_session=${s}; service_session=x`),
    },
    { weight: 1, arbitrary: fc.constantFrom(...tokens).map((token) => `service_session=${token}`) },
    { weight: 1, arbitrary: headerText },
  );
  const authorization = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...tokens).map((token) => `Bearer ${token}`) },
    { weight: 1, arbitrary: fc.constantFrom(...sessions, "").map((secret) => `Bearer ${secret}`) },
    { weight: 1, arbitrary: headerText },
  );
  return fc.oneof(
    { weight: 16, arbitrary: fc.record({ cookie }) },
    { weight: 2, arbitrary: fc.record({ authorization }) },
    { weight: 1, arbitrary: fc.record({ cookie, authorization }) },
    { weight: 1, arbitrary: fc.constant({}) },
  );
}

const anyHeaders: fc.Arbitrary<Record<string, string | undefined>> = fc.record(
  {
    host: mostly(HOST, fc.constantFrom("evil.example", "", "[::1]:3000"), headerText),
    origin: mostly<string | undefined>(ORIGIN, fc.constantFrom("null", "http://evil.example", undefined), headerText),
    "sec-fetch-site": mostly("same-origin", fc.constantFrom("cross-site", "none"), headerText),
    "x-forwarded-host": mostly(HOST, headerText),
    "x-forwarded-proto": mostly("http", headerText),
    "x-forwarded-for": mostly<string | undefined>(undefined, headerText),
    forwarded: mostly<string | undefined>(undefined, headerText),
    "user-agent": headerText,
    "content-encoding": mostly("identity", headerText),
    "content-type": mostly("application/json", fc.constantFrom(undefined, "text/plain"), headerText),
    "x-http-method-override": fc.constant("DELETE"),
    "next-action": headerText,
  },
  { requiredKeys: ["host", "origin", "content-type"] },
);

/** A valid request of each operation. */
const OPERATIONS: [Method, string, unknown][] = [
  ["POST", "login", { email: "ada@example.com", password: PASSWORD }],
  ["POST", "logout", {}],
  ["PATCH", "account", { email: "ADA@example.com" }],
  ["POST", "account/password", { currentPassword: PASSWORD, newPassword: PASSWORD }],
  ["DELETE", "account/sessions", {}],
  ["DELETE", "account/sessions/[id]", {}],
  ["DELETE", "account/unknown-logins", {}],
  ["DELETE", "account/unknown-logins/[id]", {}],
  ["DELETE", "account/unknown-logins/[id]/session", {}],
  ["POST", "tokens", { name: "Deploys" }],
  ["DELETE", "tokens/[id]", {}],
  ["POST", "users", { email: "new@example.com", name: "New", password: PASSWORD }],
  ["PATCH", "users/[id]", { role: "user" }],
  ["PATCH", "users/[id]", { status: "deactivated" }],
  ["DELETE", "users/[id]", {}],
  ["POST", "users/[id]/password", { password: PASSWORD }],
  ["POST", "images/render", { template: "no/such" }],
  ["POST", "images/explain", { template: "no/such" }],
];

/** Over the limit of every route that takes JSON but no picture. */
const TOO_LARGE = "x".repeat(70_000);

/** Any mixture of known keys and values. */
function anyBody({ slug: template }: World): fc.Arbitrary<BodyInit> {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("X", "admin", "active", "ada@example.com", ""));
  const value = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
  const keys = [
    "email",
    "name",
    "password",
    "role",
    "status",
    "currentPassword",
    "newPassword",
    "template",
    "data",
    "id",
  ];
  const mixed = fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), value, { maxKeys: 4 });
  const right = fc.constantFrom<unknown>(...OPERATIONS.map(([, , json]) => json), { template, variant: "no-such" });
  return fc.oneof(
    { weight: 300, arbitrary: fc.oneof(right, mixed).map((body) => JSON.stringify(body)) },
    { weight: 40, arbitrary: fc.json() },
    { weight: 40, arbitrary: fc.string({ unit: "binary" }) },
    { weight: 40, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => new Blob([bytes.slice()])) },
    { weight: 20, arbitrary: fc.constant("") },
    { weight: 100, arbitrary: fc.constant(TOO_LARGE) },
    { weight: 1, arbitrary: fc.constant(JSON.stringify({ template })) },
  );
}

type Parts = { method: Method; path: string; body: BodyInit };

function anyParts(world: World): fc.Arbitrary<Parts> {
  const method = fc.oneof(fc.constantFrom<Method>("GET", "POST", "PATCH", "DELETE"), fc.constantFrom(...METHODS));
  const right = fc.tuple(fc.constantFrom(...OPERATIONS), fc.constantFrom(...world.ids), anyBody(world), fc.nat(3));
  const nearlyValid = right.map(([[verb, path, json], id, other, chance]) => {
    const body = chance === 0 ? other : JSON.stringify(json);
    return { method: verb, path: `/api/service/${path.replace("[id]", id)}`, body };
  });
  return fc.oneof(
    { weight: 1, arbitrary: fc.record({ method, path: anyPath(world), body: anyBody(world) }) },
    { weight: 3, arbitrary: nearlyValid },
  );
}

/** Arbitrary requests to every route, most of them nearly valid. */
export function anyRequest(world: World): fc.Arbitrary<ArbitraryRequest> {
  const parts = fc.tuple(anyParts(world), anyHeaders, anyCredentials(world));
  return parts.map(([{ method, path, body }, headers, credentials]) => {
    const hasBody = method !== "GET" && method !== "HEAD";
    return { method, path, sent: { body: hasBody ? body : null, headers: { ...headers, ...credentials } } };
  });
}
