import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import connect from "postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Connection } from "#lib/db/connection.ts";
import { ConnectionPool } from "#lib/db/connection-pool.ts";
import { unavailableReason } from "#lib/db/database-faults.ts";
import type { Lane } from "#lib/db/lanes.ts";
import { readMigrations } from "#lib/db/migrations.ts";
import { Relay } from "#tests/db/relay.ts";
import { type Answer, Client } from "#tests/e2e/client.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { freePort } from "#tests/free-port.ts";
import { askPool } from "#tests/postgres/ask-pool.ts";
import { type Postgres, type Program, privateFolder, startPostgres, startProgram } from "#tests/postgres/programs.ts";

const ADMIN = { email: "alan@example.com", password: "can a machine think it over" };

let postgres: Postgres;
let bouncer: Program;
let services: Service[] = [];
let port: number;
let dir: string;
let relay: Relay;
let relayPort: number;

/** Three server connections for all clients, so that state kept in a session would be lost or mixed up. */
function bouncerConfig(): string {
  return `
[databases]
statements = host=127.0.0.1 port=${postgres.port} user=postgres dbname=pooled pool_mode=statement
relayed = host=127.0.0.1 port=${relayPort} user=postgres dbname=pooled
* = host=127.0.0.1 port=${postgres.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
logfile = ${join(dir, "log")}
`;
}

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase("pooled");
  dir = privateFolder("pgbouncer");
  port = await freePort();
  relay = new Relay({ host: "127.0.0.1", port: postgres.port }, { host: "127.0.0.1", port: 0 });
  relayPort = await relay.listen();
  writeFileSync(join(dir, "config.ini"), bouncerConfig());
  const isReady = async () => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    await once(socket, "connect");
    return socket.destroy();
  };
  bouncer = await startProgram({ command: "pgbouncer", args: [join(dir, "config.ini")], isReady });
  const env = {
    SERVICE_AUTH_ENABLED: "true",
    DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/pooled`,
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
  };
  services = await Promise.all([startService(env), startService(env)]);
});

afterAll(async () => {
  for (const service of services) await service.stop();
  await bouncer?.stop();
  await relay?.close();
  await postgres?.remove();
  if (dir) rmSync(dir, { recursive: true, force: true });
});

describe("through PgBouncer in transaction mode", () => {
  it("two servers migrate once and serve many users at a time without mixing them up", async () => {
    const clients = services.map(({ origin }) => new Client(origin));
    const cookies = await Promise.all(
      clients.map(async (client) => {
        let answer = await client.logIn(ADMIN.email, ADMIN.password);
        while (answer.status === 503) answer = await client.logIn(ADMIN.email, ADMIN.password);
        return answer.cookie;
      }),
    );
    const client = clients[0] as Client;
    const names = Array.from({ length: 60 }, (_, index) => `token ${index}`);
    // Ten at a time are more than the bouncer's three connections. All of them change one account, so one waits for the other,
    // and sixty at once can wait longer on a busy machine than a query may take.
    const created: Answer[] = [];
    for (let first = 0; first < names.length; first += 10) {
      const some = names.slice(first, first + 10).map((name, index) => {
        const request = { body: { name }, cookie: cookies[index % 2] };
        return (clients[index % 2] as Client).ask("POST", "/api/service/tokens", request);
      });
      created.push(...(await Promise.all(some)));
    }
    expect(created.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(created.map((answer) => (answer.json() as { name: string }).name)).toEqual(names);
    const listed = (await client.ask("GET", "/api/service/tokens", { cookie: cookies[0] })).json() as {
      name: string;
    }[];
    expect(listed.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    const { token } = (created[0] as Answer).json() as { token: string };
    const pictures = await Promise.all(
      names.slice(0, 10).map(() => client.render({ authorization: `Bearer ${token}` })),
    );
    expect(pictures.map(({ status }) => status)).toEqual(pictures.map(() => 200));
  });

  it("statements that are given up are cancelled, so that PostgreSQL keeps no more connections than the pooler", async () => {
    const direct = connect(postgres.urlOf("pooled"), { max: 2, onnotice: () => undefined });
    onTestFinished(() => direct.end());
    const clients = services.map(({ origin }) => new Client(origin));
    const { cookie } = await (clients[0] as Client).logIn(ADMIN.email, ADMIN.password);
    const read = (index: number) => (clients[index % 2] as Client).ask("GET", "/api/service/account", { cookie });
    const stuck = () => direct`select from pg_stat_activity where datname = 'pooled' and wait_event_type = 'Lock'`;
    await direct.begin(async (lock) => {
      await lock`lock table sessions in access exclusive mode`;
      // As many at a time as the pooler has connections. One that waits for a connection may get it right when it is given up.
      for (let round = 0; round < 5; round++) {
        const answers = await Promise.all(Array.from({ length: 3 }, (_, index) => read(index)));
        expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
      }
      await expect.poll(async () => (await stuck()).length).toBeLessThanOrEqual(3);
    });
    expect((await read(0)).status).toBe(200);
  });

  it("statements that are cancelled while PostgreSQL stands still do not end the pooler", async () => {
    const direct = connect(postgres.urlOf("pooled"), { max: 1, onnotice: () => undefined });
    onTestFinished(() => direct.end());
    const sleeping = () => direct`select from pg_stat_activity where query = 'select pg_sleep(2)'`;
    vi.stubEnv("DATABASE_URL", `postgres://postgres@127.0.0.1:${port}/pooled`);
    const open = () => Connection.open(AbortSignal.timeout(5_000), 5_000);
    const connections = await Promise.all([open(), open()]);
    const ended = connections.map(({ client }) => client`select pg_sleep(2)`.catch(() => "cancelled"));
    await expect.poll(async () => (await sleeping()).length).toBe(connections.length);
    await postgres.pause();
    try {
      await Promise.all(connections.map((connection) => connection.abandon()));
    } finally {
      await postgres.resume();
    }
    await Promise.all(ended);
    await expect.poll(async () => (await sleeping()).length).toBe(0);
    const after = await open();
    onTestFinished(() => after.close());
    expect(await after.client`select 1 as one`).toMatchObject([{ one: 1 }]);
  });

  it("logins keep no connection of the pooler once the PostgreSQL behind it has disappeared", async () => {
    vi.stubEnv("DATABASE_URL", `postgres://postgres@127.0.0.1:${port}/relayed`);
    const pool = new ConnectionPool(8);
    onTestFinished(() => pool.close());
    const ask = (lane: Lane, text: string) => askPool(pool, { lane, text, timeoutMs: 1_500 });
    const logIn = () => Promise.all(Array.from({ length: 3 }, () => ask("logins", "select pg_sleep(0.7), 2")));
    expect(await logIn()).toEqual(["answered", "answered", "answered"]);
    const direct = connect(postgres.urlOf("pooled"), { max: 1, onnotice: () => undefined });
    onTestFinished(() => direct.end());
    const lost = logIn();
    const running = () =>
      direct`select from pg_stat_activity where query = 'select pg_sleep(0.7), 2' and state = 'active'`;
    await expect.poll(running, { interval: 10 }).toHaveLength(3);
    relay.lose();
    expect(await lost).toEqual(["given up", "given up", "given up"]);
    await expect.poll(() => ask("requests", "select 3"), { timeout: 20_000 }).toBe("answered");
  });

  it("one server builds the indexes outside of a transaction", async () => {
    const direct = connect(postgres.urlOf("pooled"), { max: 1 });
    onTestFinished(() => direct.end());
    const records = "select count(*)::int as count from drizzle.__drizzle_migrations";
    await expect.poll(() => direct.unsafe(records)).toMatchObject([{ count: readMigrations().length }]);
    expect(await direct.unsafe("select from pg_index where not indisvalid")).toHaveLength(0);
  });
});

it("the log names the mode of a pooler that runs no transactions", async () => {
  vi.stubEnv("DATABASE_URL", `postgres://postgres@127.0.0.1:${port}/statements`);
  const connection = await Connection.open(AbortSignal.timeout(5_000), 5_000);
  onTestFinished(() => connection.close());
  const error = await connection.begin().catch((fault: unknown) => fault);
  expect(unavailableReason(error)).toContain("pool_mode = statement");
});
