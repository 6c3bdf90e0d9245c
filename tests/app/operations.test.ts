import { describe, expect, it } from "vitest";
import { accessEnabled } from "#lib/config.ts";
import type { Operation } from "#lib/http/route/operation.ts";
import { describeService, OPERATIONS } from "#lib/operations/all.ts";
import { getOpenApi } from "#lib/operations/openapi.ts";
import { PATHS } from "#lib/operations/paths.ts";
import { exampleOf } from "../../app/docs/content/schema-example.ts";
import { getDocsPage, getLlms } from "../../app/docs/docs-operations.ts";
import type { OpenApi } from "../../app/docs/sources.ts";
import { addUser, NOBODY, signIn } from "../access/people.ts";
import { emptyDatabase, useDatabase } from "../database.ts";
import { errorOf } from "../http/requests.ts";
import { COLUMNS, ROWS } from "./access/access-table.ts";
import { type Method, ROUTES, send } from "./client.ts";

useDatabase();

const DECLARED = [...OPERATIONS, getOpenApi, getDocsPage, getLlms];

const nameOf = ({ method, path }: Pick<Operation, "method" | "path">) => `${method} ${path}`;

/** A path of the access table as an operation declares it. */
function declaredPath(path: string): string {
  const full = path.startsWith("/") ? path : `/api/service/${path}`;
  return full
    .replace(/\/(own|other|nobody)\b/, "/{id}")
    .replace("/slug", "/{slug}")
    .replace("/links/signed", "/links/{keyId}/{signature}/{payload}.png")
    .replace("/proofs/unknown", "/proofs/{slug}")
    .replace("/api/docs/errors", "/api/docs{page}");
}

type Row = (typeof ROWS)[number];

/** Who may act, as the statuses of the table say. */
function whoOf(rows: Row[]): Operation["auth"]["who"] {
  const statuses = (column: string) => rows.map(({ expected }) => expected.get(column) ?? 0);
  if (statuses("anonymous").every((status) => status < 400)) return "anyone";
  if (statuses("user").every((status) => status === 403)) return "administrator";
  return statuses("token").every((status) => status < 400) ? "user or token" : "user";
}

describe("the declared operations", () => {
  const byOperation = Map.groupBy(ROWS, ({ method, path }) => `${method} ${declaredPath(path)}`);

  it("are those of the access table, with the same policies", () => {
    const declared = DECLARED.map((operation) => [nameOf(operation), operation.auth.who]);
    const expected = [...byOperation].map(([name, rows]) => [name, whoOf(rows)]);
    expect(declared.toSorted()).toEqual(expected.toSorted());
    expect(COLUMNS).toEqual(["anonymous", "user", "administrator", "token", "expired", "deactivated", "deleted"]);
  });

  it("check the origin of every mutation: a session's always, an anonymous one's by declaration", () => {
    const mutations = DECLARED.filter(({ method }) => method !== "GET");
    const anonymous = mutations.filter(({ auth }) => auth.who === "anyone");
    expect(anonymous.map(nameOf).toSorted()).toEqual([`POST ${PATHS.login}`, `POST ${PATHS.logout}`]);
    for (const { auth, path } of anonymous) expect([path, auth.sameOrigin]).toEqual([path, true]);
  });

  it("have one id each, and a route file at their path; every route file has an operation", () => {
    expect(new Set(DECLARED.map(({ operationId }) => operationId)).size).toBe(DECLARED.length);
    const folderOf = ({ path }: Operation) =>
      path
        .replace("{slug}", "[...slug]")
        .replace(/\{keyId\}.*/, "[...link]")
        .replace("{page}", "/[[...page]]")
        .replace(/\{(\w+)\}/, "[$1]");
    const folders = new Set(DECLARED.map(folderOf));
    expect([...folders].toSorted()).toEqual(ROUTES.filter((route) => route !== "/api/[[...path]]").toSorted());
  });

  it("answer with JSON of a schema, or with bytes of a type", () => {
    const wrong = DECLARED.filter(
      ({ returns, contentType }) => (returns === undefined) === (contentType === undefined),
    );
    expect(wrong.map(nameOf)).toEqual([]);
  });
});

describe("the bodies of the OpenAPI document", () => {
  type Body = { name: string; method: Method; path: string; example: Record<string, unknown> };

  async function documentedBodies(): Promise<Body[]> {
    const document = (await describeService()) as Record<string, unknown> as OpenApi;
    const { schemas } = document.components;
    return Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([verb, { requestBody }]) => {
        const schema = requestBody?.content["application/json"]?.schema;
        const method = verb.toUpperCase() as Method;
        if (schema === undefined) return [];
        const example = exampleOf(schema, schemas) as Record<string, unknown>;
        return { name: `${method} ${path}`, method, path: path.replace("{id}", NOBODY), example };
      }),
    );
  }

  /** Sends a body as an administrator who has just signed in, and says what is wrong with its shape. */
  async function shapeFaults({ method, path }: Body, json: unknown): Promise<{ code: string; paths: string[] }> {
    await emptyDatabase();
    const { secret: session } = await signIn(await addUser("admin", "admin"));
    const response = await send(method, path.replace("/api/service/", ""), { session, json });
    if (response.ok) return { code: "", paths: [] };
    const { code, issues = [] } = await errorOf(response);
    return { code, paths: code === "invalid_request" ? issues.map((issue) => issue.path) : [] };
  }

  it("are the bodies that the routes take: none is refused for its shape, and each is with another key", async () => {
    expect(accessEnabled()).toBe(true);
    const bodies = await documentedBodies();
    expect(bodies.map(({ name }) => name).toSorted()).toEqual(
      DECLARED.filter(({ body }) => body !== undefined)
        .map(nameOf)
        .toSorted(),
    );
    for (const body of bodies) {
      const accepted = await shapeFaults(body, body.example);
      expect([body.name, accepted.paths]).toEqual([body.name, []]);
      expect(["invalid_json", "unsupported_media_type"]).not.toContain(accepted.code);
      const refused = await shapeFaults(body, { ...body.example, zebra: 1 });
      expect([body.name, refused]).toEqual([body.name, { code: "invalid_request", paths: ["/zebra"] }]);
    }
  });

  it("name every key that the route checks, and no other", async () => {
    for (const body of await documentedBodies()) {
      for (const key of Object.keys(body.example)) {
        const refused = await shapeFaults(body, { ...body.example, [key]: ["of", "a", "wrong", "type"] });
        expect([body.name, refused]).toEqual([body.name, { code: "invalid_request", paths: [`/${key}`] }]);
      }
    }
  });
});
