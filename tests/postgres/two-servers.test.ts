import { setTimeout as sleep } from "node:timers/promises";
import connect from "postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Answer, Client, codeOf } from "#tests/e2e/client.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { AWAY_MS, SOON_MS } from "#tests/pace.ts";
import { type Postgres, startPostgres } from "#tests/postgres/programs.ts";

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };
const READY_LIMIT_MS = 20_000;

let postgres: Postgres;
let services: Service[];
let first: Client;
let second: Client;

async function startPair(databaseUrl: string): Promise<void> {
  const env = {
    SERVICE_AUTH_ENABLED: "true",
    DATABASE_URL: databaseUrl,
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
  };
  services = await Promise.all([startService(env), startService(env)]);
  [first, second] = services.map(({ origin }) => new Client(origin)) as [Client, Client];
  for (const client of [first, second])
    await waitUntil(async () => (await client.ask("GET", "/readyz")).status === 200);
}

async function waitUntil(isSo: () => Promise<boolean>, limitMs = READY_LIMIT_MS): Promise<number> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAt > limitMs) throw new Error(`The condition was not met within ${limitMs} ms.`);
    await sleep(50);
  }
  return performance.now() - startedAt;
}

async function adminCookie(client = first): Promise<string> {
  const answer = await client.logIn(ADMIN.email, ADMIN.password);
  expect(answer.status).toBe(200);
  return answer.cookie as string;
}

let people = 0;

/** Creates a user and signs in at the first server. */
async function newPerson(role: "user" | "admin" = "user") {
  people += 1;
  const person = { email: `person-${people}@example.com`, password: `a password of person ${people}` };
  const body = { ...person, name: `Person ${people}`, role };
  const created = await first.ask("POST", "/api/service/users", { body, cookie: await adminCookie() });
  expect(created.status).toBe(201);
  const { cookie } = await first.logIn(person.email, person.password);
  return { ...person, id: (created.json() as { id: string }).id, cookie };
}

async function newToken(cookie: string | undefined) {
  const answer = await first.ask("POST", "/api/service/tokens", { body: { name: "script" }, cookie });
  expect(answer.status).toBe(201);
  return answer.json() as { id: string; token: string };
}

function statuses(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The fastest of three answers during an outage, because a busy machine only ever makes one slower. */
async function fastestRefusal(request: () => Promise<Answer>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const answer = await request();
    expect(codeOf(answer)).toBe("unavailable");
    times.push(answer.ms);
  }
  return Math.min(...times);
}

beforeAll(async () => {
  postgres = await startPostgres();
  await startPair(await postgres.createDatabase("shared"));
});

afterAll(async () => {
  for (const service of services ?? []) await service.stop();
  await postgres?.remove();
});

describe("two servers that share a PostgreSQL", () => {
  it("create one first administrator", async () => {
    const users = await second.ask("GET", "/api/service/users", { cookie: await adminCookie() });
    expect(users.json()).toMatchObject([{ email: ADMIN.email, role: "admin", status: "active" }]);
  });

  it("share sessions, and end them everywhere at once", async () => {
    const cookie = await adminCookie(first);
    expect((await second.ask("GET", "/api/service/account", { cookie })).status).toBe(200);
    expect((await second.ask("POST", "/api/service/logout", { cookie })).status).toBe(200);
    expect((await first.ask("GET", "/api/service/account", { cookie })).status).toBe(401);
  });

  it("refuse a revoked token on the next request to either server", async () => {
    const { cookie } = await newPerson();
    const { id, token } = await newToken(cookie);
    const headers = { authorization: `Bearer ${token}` };
    for (const client of [first, second]) expect((await client.render(headers)).status).toBe(200);
    expect((await second.ask("DELETE", `/api/service/tokens/${id}`, { cookie })).status).toBe(200);
    for (const client of [first, second]) expect((await client.render(headers)).status).toBe(401);
  });

  it("refuse a deactivated user on the next request, and accept the tokens again after reactivation", async () => {
    const person = await newPerson();
    const { token } = await newToken(person.cookie);
    const headers = { authorization: `Bearer ${token}` };
    const setStatus = async (status: string) =>
      first.ask("PATCH", `/api/service/users/${person.id}`, { body: { status }, cookie: await adminCookie() });
    expect((await setStatus("deactivated")).status).toBe(200);
    expect((await second.render(headers)).status).toBe(401);
    expect((await second.ask("GET", "/api/service/account", { cookie: person.cookie })).status).toBe(401);
    expect((await setStatus("active")).status).toBe(200);
    expect((await second.render(headers)).status).toBe(200);
    expect((await second.ask("GET", "/api/service/account", { cookie: person.cookie })).status).toBe(401);
  });

  it("count attempts together, in every spelling of the email and with forged addresses", async () => {
    const person = await newPerson();
    const attempt = (index: number) => {
      const email = index % 3 === 0 ? person.email.toUpperCase() : index % 3 === 1 ? ` ${person.email}` : person.email;
      const headers = { "x-forwarded-for": `203.0.113.${index}` };
      return (index % 2 ? first : second).logIn(email, "not the password at all", headers);
    };
    // All tests of this file have one address, which may try 100 times: those after this one have to sign in too.
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => attempt(index)));
    expect(statuses(answers)).toEqual({ 401: 10, 429: 50 });
    for (const client of [first, second]) {
      const right = await client.logIn(person.email, person.password);
      expect(codeOf(right)).toBe("rate_limited");
      expect(Number(right.headers["retry-after"])).toBeGreaterThan(0);
      expect((await client.ask("GET", "/api/service/account", { cookie: person.cookie })).status).toBe(200);
    }
  });

  it("keep an administrator when two of them demote each other", async () => {
    const [one, two] = [await newPerson("admin"), await newPerson("admin")];
    const users = (await first.ask("GET", "/api/service/users", { cookie: one.cookie })).json() as {
      id: string;
      email: string;
    }[];
    const seeded = users.find(({ email }) => email === ADMIN.email)?.id;
    const demote = (client: Client, { cookie }: typeof one, id: string | undefined) =>
      client.ask("PATCH", `/api/service/users/${id}`, { body: { role: "user" }, cookie });
    const promote = (client: Client, { cookie }: typeof one, id: string | undefined) =>
      client.ask("PATCH", `/api/service/users/${id}`, { body: { role: "admin" }, cookie });
    expect((await demote(first, one, seeded)).status).toBe(200);
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all([demote(first, one, two.id), demote(second, two, one.id)]);
      const won = answers.findIndex(({ status }) => status === 200);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      // The other request was refused by the last-administrator rule, or its sender was already demoted.
      expect([409, 403]).toContain(answers[1 - won]?.status);
      const [winner, loser] = won === 0 ? [one, two] : [two, one];
      expect((await promote(first, winner, loser.id)).status).toBe(200);
    }
    expect((await promote(first, one, seeded)).status).toBe(200);
  });

  it("create an email once when many requests ask at the same moment", async () => {
    const cookie = await adminCookie();
    const create = (index: number) => {
      const email = index % 2 ? "Twin@example.com" : "twin@EXAMPLE.com ";
      const body = { email, name: "Twin", password: "one of a kind, truly" };
      return (index % 2 ? first : second).ask("POST", "/api/service/users", { body, cookie });
    };
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => create(index)));
    expect(statuses(answers)).toEqual({ 201: 1, 409: 11 });
  });

  it("answer 503 in time while the database is stopped or hangs, admit nobody, and recover", async () => {
    const { cookie } = await newPerson();
    const { token } = await newToken(cookie);
    const headers = { authorization: `Bearer ${token}` };
    const away = [
      { leave: postgres.stop, comeBack: postgres.start },
      { leave: postgres.pause, comeBack: postgres.resume },
    ];
    for (const { leave, comeBack } of away) {
      await leave();
      const requests = [
        () => first.render(headers),
        () => second.ask("GET", "/api/service/account", { cookie }),
        () => first.logIn(ADMIN.email, ADMIN.password),
        () => second.ask("GET", "/readyz"),
      ];
      const times = await Promise.all(requests.map(fastestRefusal));
      expect(Math.max(...times)).toBeLessThan(AWAY_MS);
      expect((await first.ask("GET", "/healthz")).status).toBe(200);
      await comeBack();
      for (const client of [first, second]) {
        await waitUntil(async () => (await client.render(headers)).status === 200, SOON_MS);
      }
    }
  });
});

describe("a server that is killed while it writes", () => {
  it("loses no token that it has acknowledged, and no count of a render that it has written", async () => {
    const cookie = await adminCookie();
    const { id: counted, token } = await newToken(cookie);
    const render = async (client: Client, times: number) => {
      for (let i = 0; i < times; i++)
        expect((await client.render({ authorization: `Bearer ${token}` })).status).toBe(200);
    };
    const database = connect(postgres.urlOf("shared"), { max: 1 });
    onTestFinished(() => database.end());
    const rendersOf = async () => {
      const [row] =
        await database`select coalesce(sum(renders), 0)::int as renders from usage where token_id = ${counted}`;
      return row?.renders as number;
    };
    await render(second, 5);
    await expect.poll(rendersOf).toBe(5);
    const acknowledged: string[] = [];
    const write = async () => {
      for (;;) {
        const answer = await second.ask("POST", "/api/service/tokens", { body: { name: "kept" }, cookie });
        expect(answer.status).toBe(201);
        acknowledged.push((answer.json() as { id: string }).id);
      }
    };
    const writers = [write(), write(), write()];
    const ended = Promise.allSettled(writers);
    await waitUntil(async () => acknowledged.length >= 30);
    await render(second, 3);
    // The process group: npm and the server that it started.
    process.kill(-(services[1]?.npm.pid as number), "SIGKILL");
    for (const end of await ended) expect(end).toMatchObject({ reason: { code: expect.stringMatching(/^ECONN/) } });
    const listed = (await first.ask("GET", "/api/service/tokens", { cookie })).json() as { id: string }[];
    const ids = new Set(listed.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    const kept = await rendersOf();
    expect(kept).toBeGreaterThanOrEqual(5);
    expect(kept).toBeLessThanOrEqual(8);
    // Another server adds to the same row.
    await render(first, 2);
    await expect.poll(rendersOf).toBe(kept + 2);
    services = services.slice(0, 1);
  });
});
