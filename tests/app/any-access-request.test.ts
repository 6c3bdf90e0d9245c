import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { revokeToken } from "#lib/access/tokens.ts";
import { query } from "#lib/db/database.ts";

import { buildFonts } from "#lib/fonts/build.ts";
import { openApiDocument } from "#lib/http/openapi.ts";
import { shutDown } from "#lib/render/render.ts";
import { buildRegistry } from "#lib/templates/build-registry.ts";
import { addToken, addUser, CALLER, NOBODY, PASSWORD, signIn } from "../access/people.ts";
import { emptyDatabase, useDatabase } from "../database.ts";
import { errorOf, expectSafeHeaders } from "../http/requests.ts";
import { HOST, METHODS, type Method, ORIGIN, ROUTES, type Sent, send } from "./client.ts";

/** What succeeds changes who there is: each round begins anew. */
const ROUNDS = 20;
const REQUESTS_PER_ROUND = 500;
const TIMEOUT_MS = 180_000;

type World = { slug: string; ids: string[]; sessions: string[]; tokens: string[] };
type Request = { method: Method; path: string; sent: Sent };

useDatabase();

let slug: string;

beforeAll(async () => {
  buildFonts();
  const { templates } = await buildRegistry();
  slug = templates[0]?.slug ?? "";
  return () => shutDown();
});

async function populate(): Promise<World> {
  await emptyDatabase();
  const people = [await addUser("admin", "admin"), await addUser("second", "admin"), await addUser("ada")];
  const signedIn = await Promise.all(people.map((user) => signIn(user)));
  const tokens = await Promise.all(signedIn.map(({ actor }) => addToken(actor)));
  const [first] = signedIn;
  if (first) await revokeToken({ actor: first.actor, id: tokens[0]?.id ?? "", caller: CALLER });
  const sessionIds = signedIn.map(({ actor }) => actor.sessionId);
  const ids = [...people.map(({ id }) => id), ...tokens.map(({ id }) => id), ...sessionIds, NOBODY];
  return { slug, ids, sessions: signedIn.map(({ secret }) => secret), tokens: tokens.map(({ token }) => token) };
}

/** Text as a header can carry it. */
const headerText = fc
  .string({ unit: "binary", maxLength: 40 })
  .map((text) => [...text].filter((char) => /[\x20-\x7e\x80-\xff]/.test(char)).join(""));

const mostly = <T>(usual: T, ...others: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight: 30, arbitrary: fc.constant(usual) }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));

/** Often none; keys and values as the routes want them, in any mixture. */
function anyQuery(ids: string[]): fc.Arbitrary<string> {
  const keys = ["search", "sort", "page", "limit", "before", "action", "user"];
  const value = fc.oneof(
    fc.constantFrom(
      ...ids,
      "-email",
      "lastLoginAt",
      "login",
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

/** Who asks: someone, nobody, somebody who is not, or several at once. */
function anyCredentials({ sessions, tokens }: World): fc.Arbitrary<Record<string, string | undefined>> {
  const cookie = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...sessions).map((secret) => `service_session=${secret}`) },
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
    { weight: 6, arbitrary: fc.record({ cookie }) },
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
    "x-forwarded-for": headerText,
    forwarded: headerText,
    "user-agent": headerText,
    "content-encoding": mostly("identity", headerText),
    "content-type": mostly("application/json", fc.constantFrom(undefined, "text/plain"), headerText),
    "x-http-method-override": fc.constant("DELETE"),
    "next-action": headerText,
  },
  { requiredKeys: ["host", "origin", "content-type"] },
);

/** What a request is when it does what its route is for. */
const OPERATIONS: [Method, string, unknown][] = [
  ["POST", "login", { email: "ada@example.com", password: PASSWORD }],
  ["POST", "logout", {}],
  ["PATCH", "account", { email: "ADA@example.com" }],
  ["POST", "account/password", { currentPassword: PASSWORD, newPassword: PASSWORD }],
  ["DELETE", "account/sessions", {}],
  ["DELETE", "account/sessions/[id]", {}],
  ["POST", "tokens", { name: "Deploys" }],
  ["DELETE", "tokens/[id]", {}],
  ["POST", "users", { email: "new@example.com", name: "New", password: PASSWORD }],
  ["PATCH", "users/[id]", { role: "user" }],
  ["PATCH", "users/[id]", { status: "deactivated" }],
  ["DELETE", "users/[id]", {}],
  ["POST", "users/[id]/password", { password: PASSWORD }],
  ["POST", "images/render", { template: "no/such" }],
];

/** Keys and values as the routes want them, in any mixture. */
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
    { weight: 30, arbitrary: fc.constant("x".repeat(70_000)) },
    { weight: 1, arbitrary: fc.constant(JSON.stringify({ template })) },
  );
}

type Parts = { method: Method; path: string; body: BodyInit };

function anyParts(world: World): fc.Arbitrary<Parts> {
  const method = fc.oneof(fc.constantFrom<Method>("GET", "POST", "PATCH", "DELETE"), fc.constantFrom(...METHODS));
  const right = fc.tuple(fc.constantFrom(...OPERATIONS), fc.constantFrom(...world.ids), anyBody(world), fc.nat(3));
  return fc.oneof(
    fc.record({ method, path: anyPath(world), body: anyBody(world) }),
    right.map(([[verb, path, json], id, other, chance]) => {
      const body = chance === 0 ? other : JSON.stringify(json);
      return { method: verb, path: `/api/service/${path.replace("[id]", id)}`, body };
    }),
  );
}

function anyRequest(world: World): fc.Arbitrary<Request> {
  const parts = fc.tuple(anyParts(world), anyHeaders, anyCredentials(world));
  return parts.map(([{ method, path, body }, headers, credentials]) => {
    const hasBody = method !== "GET" && method !== "HEAD";
    return { method, path, sent: { body: hasBody ? body : null, headers: { ...headers, ...credentials } } };
  });
}

/** Pictures for pages, which a browser may keep for itself. */
const KEPT = /^\/api\/service\/(?:thumbnails\/|status\/scripts)/;

type Responses = Record<string, { content: Record<string, { schema: AnySchema }> }>;
type Document = { paths: Record<string, Record<string, { responses: Responses }>>; components: object };

/** Tells whether an answer is one that the service's own document has for its operation. */
async function documented() {
  const document = (await openApiDocument()) as Document;
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "service", components: document.components });
  // A name comes before a parameter.
  const paths = Object.entries(document.paths).toSorted(([a], [b]) => a.split("{").length - b.split("{").length);
  const patterns = paths.map(([path, item]) => {
    const pattern = path.replace("{slug}", ".+").replace("{id}", "[^/]+");
    return { pattern: new RegExp(`^${pattern}$`), item };
  });
  const expectSchema = async (response: Response, responses: Responses) => {
    const schema = responses[response.status]?.content["application/json"]?.schema;
    if (schema === undefined) return;
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"service#/')) as AnySchema;
    expect(ajv.validate(absolute, await response.json()), ajv.errorsText()).toBe(true);
  };
  return async ({ method, path }: Request, response: Response) => {
    const item = patterns.find(({ pattern }) => pattern.test(path.split("?", 1)[0] ?? ""))?.item;
    const responses = item?.[method.toLowerCase()]?.responses;
    if (!item || response.status === 405 || method === "HEAD") return;
    expect(Object.keys(responses ?? {})).toContain(String(response.status));
    if (responses && response.ok) await expectSchema(response, responses);
  };
}

it(
  `whatever ${ROUNDS * REQUESTS_PER_ROUND} requests hold, each is answered as the contract says, and an administrator stays`,
  async () => {
    const seen = new Set<number>();
    const expectDocumented = await documented();
    for (let round = 0; round < ROUNDS; round++) {
      const property = fc.asyncProperty(anyRequest(await populate()), async (request) => {
        const response = await send(request.method, request.path, request.sent);
        seen.add(response.status);
        const isKept = response.ok && KEPT.test(request.path);
        expectSafeHeaders(response, isKept ? { cacheControl: "private, max-age=60, must-revalidate" } : {});
        expect([500, 503, 504]).not.toContain(response.status);
        if (!response.ok && request.method !== "HEAD") await errorOf(response.clone());
        await expectDocumented(request, response);
      });
      await fc.assert(property, { numRuns: REQUESTS_PER_ROUND, endOnFailure: true });
      const [row] = await query((db) =>
        db.execute<{ count: number }>(sql`select count(*)::int from users where role = 'admin' and status = 'active'`),
      );
      expect(row?.count).toBeGreaterThan(0);
    }
    // Proof that the requests reached every part: these are the answers of all the checks in order.
    expect([...seen].toSorted()).toEqual(
      expect.arrayContaining([200, 201, 400, 401, 403, 404, 405, 409, 413, 415, 422]),
    );
  },
  TIMEOUT_MS,
);
