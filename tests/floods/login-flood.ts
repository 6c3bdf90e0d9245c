import { expect } from "vitest";
import { floodLogins } from "#scripts/bench/flood/flood-logins.ts";
import { type Answer, Client } from "#tests/e2e/client.ts";
import { startService } from "#tests/e2e/service.ts";

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };
const CONNECTIONS = 250;

/** Requests of each kind during the flood. */
const REQUESTS = 60;

/** Logins that the flood has at least got an answer to, so that it was one. */
const LEAST_LOGINS = 4 * CONNECTIONS;

/** The status of an answer, with the text of an error. */
async function answerTo(request: () => Promise<Answer>): Promise<string> {
  const { status, text } = await request();
  return status === 200 ? "200" : `${status} ${text}`;
}

/**
 * Floods a new server with logins while others look at their account, render by token and probe, and expects every one of
 * their requests to succeed.
 * @param env names the server's database
 */
export async function expectOthersServed(env: Record<string, string>): Promise<void> {
  const service = await startService({
    ...env,
    SERVICE_AUTH_ENABLED: "true",
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
  });
  const client = new Client(service.origin);
  await expect.poll(async () => (await client.ask("GET", "/readyz")).status).toBe(200);
  const { cookie } = await client.logIn(ADMIN.email, ADMIN.password);
  const { token } = (await client.ask("POST", "/api/service/tokens", { body: { name: "script" }, cookie })).json() as {
    token: string;
  };
  let pictures = 0;
  const render = () => {
    const body = { template: "blog/article", data: { title: `Picture ${pictures++}` } };
    const headers = { authorization: `Bearer ${token}` };
    return client.ask("POST", "/api/service/images/render", { body, headers });
  };
  const requests = [
    () => client.ask("GET", "/api/service/account", { cookie }),
    () => client.ask("GET", "/readyz"),
    render,
  ];
  const flood = floodLogins({ port: service.port, connections: CONNECTIONS });
  try {
    const statuses = await Promise.all(
      requests.map(async (request) => {
        const seen = new Set<string>();
        for (let count = 0; count < REQUESTS; count++) seen.add(await answerTo(request));
        return [...seen];
      }),
    );
    expect(statuses).toEqual([["200"], ["200"], ["200"]]);
    const answered = () => Object.values(flood.statuses).reduce((sum, count) => sum + count, 0);
    await expect.poll(answered).toBeGreaterThan(LEAST_LOGINS);
    // Wrong, too many from one address, or too many at once. None of them is a fault.
    for (const status of Object.keys(flood.statuses)) expect(["401", "429", "503"]).toContain(status);
  } finally {
    flood.end();
  }
  expect((await service.stop()).code).toBe(0);
}
