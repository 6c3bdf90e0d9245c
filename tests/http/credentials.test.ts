import { describe, expect, it } from "vitest";
import { credentialsOf } from "#lib/http/identity/credentials.ts";

const SECRET = "s".repeat(43);
const TOKEN = "svc_0123456789";

function credentials(headers: Record<string, string>) {
  return credentialsOf(new Request("http://localhost/?service_session=x&access_token=x", { headers }));
}

describe("a cookie", () => {
  it.each([
    `service_session=${SECRET}`,
    `a=b; service_session=${SECRET}`,
    `service_session=${SECRET};a=b`,
    `xservice_session=1; service_session_=2; SERVICE_SESSION=3; service_session=${SECRET}`,
    `;; service_session=${SECRET} ;`,
  ])("is found among others: %s", (cookie) => {
    expect(credentials({ cookie })).toEqual({ kind: "cookie", secret: SECRET });
  });

  it.each([
    "",
    "service_session",
    "a=service_session=x",
    `service_session=${SECRET}; service_session=${SECRET}`,
    `service_session=; service_session=${SECRET}`,
    `service_session=${SECRET};service_session=other`,
  ])("does not count where it is absent or doubled: %s", (cookie) => {
    expect(credentials({ cookie })).toEqual({ kind: "cookie", secret: undefined });
  });

  it("is not unquoted or unescaped", () => {
    expect(credentials({ cookie: `service_session="${SECRET}"` }).secret).toBe(`"${SECRET}"`);
    expect(credentials({ cookie: "service_session=%73" }).secret).toBe("%73");
  });
});

describe("an Authorization header", () => {
  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER   ${TOKEN}`])("names a token: %s", (authorization) => {
    expect(credentials({ authorization })).toEqual({ kind: "authorization", secret: TOKEN });
  });

  it.each([
    "",
    "Bearer",
    "Bearer ",
    "Basic x",
    `Basic ${TOKEN}`,
    TOKEN,
    `Bearer ${TOKEN}, Bearer ${TOKEN}`,
    `Bearer ${TOKEN},`,
    `Bearer ${TOKEN} ${TOKEN}`,
    `Bearer "${TOKEN}"`,
    `Bearer token=${TOKEN}`,
    `BearerX ${TOKEN}`,
    `Token ${TOKEN}`,
  ])("decides alone, also where it names no token: %s", (authorization) => {
    const cookie = `service_session=${SECRET}`;
    expect(credentials({ authorization, cookie })).toEqual({ kind: "authorization", secret: undefined });
  });
});
