import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { query } from "#lib/db/database.ts";
import { heldBytes } from "#lib/http/body/body-budget.ts";
import { BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { addUser, PASSWORD, signIn } from "../../access/people.ts";
import { statementsOf } from "../../access/statements.ts";
import { useDatabase } from "../../database.ts";
import { chunkedBody, errorOf } from "../../http/requests.ts";
import { type Method, send } from "../client.ts";

useDatabase();

/** Every access route with a body, and a body that it accepts. */
const ROUTES: Record<string, Record<string, unknown>> = {
  "POST login": { email: "admin@example.com", password: PASSWORD },
  "POST logout": {},
  "PATCH account": { name: "Admin" },
  "POST account/password": { currentPassword: PASSWORD, newPassword: PASSWORD },
  "POST tokens": { name: "Deploys" },
  "POST users": { email: "new@example.com", name: "New", password: PASSWORD },
  "PATCH users/own": { name: "Admin" },
  "POST users/own/password": { password: PASSWORD },
};

const WRONG_TYPES: Record<string, string | undefined>[] = [
  { "content-type": undefined },
  { "content-type": "text/plain" },
  { "content-type": "application/x-www-form-urlencoded" },
  { "content-type": "multipart/form-data; boundary=x" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-type": "application/json; charset=utf-8; charset=utf-8" },
  { "content-type": "application/json, application/json" },
  { "content-type": "application/json+x" },
  { "content-type": "application/json", "content-encoding": "gzip" },
  { "content-type": "application/json", "content-encoding": "identity, br" },
];

const WRONG_BODIES: [string, BodyInit][] = [
  ["invalid_json", "{"],
  ["invalid_json", "nul"],
  ["invalid_json", "\ufeff{}"],
  ["invalid_json", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ["invalid_request", "null"],
  ["invalid_request", "[]"],
  ["invalid_request", "1"],
  ["invalid_request", '{"a":1e400}'],
  ["invalid_request", '{"name":"a\\u0000b","email":"a\\u0000b","password":"a\\u0000b","currentPassword":"\\u0000"}'],
  ["invalid_request", '{"name":"a","name":"b"}'],
  ["invalid_request", '{"__proto__":{"role":"admin"}}'],
  ["invalid_request", '{"constructor":{"prototype":{"role":"admin"}}}'],
  ["invalid_request", '{"\\u005f_proto__":1}'],
  ["invalid_request", `{"extra":${"[".repeat(1_000)}${"]".repeat(1_000)}}`],
  ["invalid_request", `{"extra":[${"0,".repeat(30_000)}0]}`],
];

let session: string;
let id: string;

beforeEach(async () => {
  const admin = await addUser("admin", "admin");
  ({ id } = admin);
  session = (await signIn(admin)).secret;
});

type Sent = NonNullable<Parameters<typeof send>[2]>;

describe.each(Object.entries(ROUTES))("%s", (route, json) => {
  const [method = "", path = ""] = route.split(" ");
  const text = JSON.stringify(json);
  const post = (sent: Sent) => send(method as Method, path.replace("own", id), { session, ...sent });
  const codeOf = async (body: BodyInit | null, headers: Record<string, string | undefined> = {}) =>
    (await errorOf(await post({ body, headers }))).code;
  const typed = { "content-type": "application/json" };

  it("accepts 65,536 bytes and refuses one more unread, with a length and chunked", async () => {
    expect((await post({ body: text.padEnd(BODY_LIMIT_BYTES), headers: typed })).ok).toBe(true);
    session = (await signIn({ email: "admin@example.com" })).secret;
    const tooLong = text.padEnd(BODY_LIMIT_BYTES + 1);
    const statements = await statementsOf(async () => {
      expect(await codeOf(tooLong, { ...typed, "content-length": String(tooLong.length) })).toBe("payload_too_large");
      expect(await codeOf(chunkedBody([Buffer.from(tooLong)]).body, typed)).toBe("payload_too_large");
    });
    // The session is looked up, and nothing after it.
    expect(statements.filter(({ text }) => !/^select/i.test(text))).toEqual([]);
    const announced = chunkedBody([new Uint8Array(10)]);
    expect(await codeOf(announced.body, { ...typed, "content-length": "12000000" })).toBe("payload_too_large");
    expect(announced.taken()).toBe(0);
    expect(heldBytes()).toBe(0);
  });

  it("accepts JSON with charset utf-8 in any spelling, and no other content type or encoding", async () => {
    for (const headers of WRONG_TYPES) {
      expect([headers, await codeOf(text, headers)]).toEqual([headers, "unsupported_media_type"]);
    }
    for (const type of ["application/json;charset=UTF-8", 'APPLICATION/JSON; charset="utf-8"']) {
      await query((db) => db.execute(sql`delete from users where email = 'new@example.com'`));
      expect((await post({ body: text, headers: { "content-type": type } })).ok).toBe(true);
      session = (await signIn({ email: "admin@example.com" })).secret;
    }
  });

  it("refuses anything but a JSON object of plain keys", async () => {
    for (const [code, body] of WRONG_BODIES) {
      expect([String(body).slice(0, 99), await codeOf(body, typed)]).toEqual([String(body).slice(0, 99), code]);
    }
  });

  it("names every unknown key beside other faults, and quotes no value", async () => {
    const { issues, ...error } = await errorOf(await post({ json: { ...json, pasword: "secret of mine", zebra: 1 } }));
    expect(error.code).toBe("invalid_request");
    const unknown = issues?.filter(({ code }) => code === "unknown_field").map(({ path }) => path);
    expect(unknown).toEqual(["/pasword", "/zebra"]);
    expect(JSON.stringify(issues)).not.toContain("secret of mine");
  });

  it("needs a body, except to log out", async () => {
    if (path === "logout") expect((await post({ body: "", headers: typed })).ok).toBe(true);
    else expect(await codeOf("", typed)).toBe("invalid_json");
  });
});

describe("a body of 12 MB", () => {
  it("is answered 401 unread without a session", async () => {
    for (const route of Object.keys(ROUTES).filter((name) => !/log(?:in|out)/.test(name))) {
      const [method = "", path = ""] = route.split(" ");
      const { body, taken } = chunkedBody([new Uint8Array(12_000_000)]);
      const headers = { "content-type": "text/plain", "content-encoding": "br" };
      const response = await send(method as Method, path.replace("own", id), { body, headers });
      expect((await errorOf(response)).code).toBe("unauthorized");
      expect(taken()).toBe(0);
    }
  });
});
