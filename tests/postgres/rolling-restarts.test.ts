import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Client } from "#tests/e2e/client.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { type Balancer, startBalancer } from "#tests/postgres/balancer.ts";
import { type Postgres, startPostgres } from "#tests/postgres/programs.ts";

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };

const RESTARTS = 10;

/** A start on a busy machine, in milliseconds. */
const READY_LIMIT_MS = 60_000;

/** How often the balancer asks `/readyz`, in milliseconds. */
const CHECK_MS = 100;

/** Many times {@link CHECK_MS}, so that the balancer notices also on a busy machine. */
const DRAIN_DELAY_MS = 3_000;

/** Twenty starts, each with its own browsers: 90 s on an idle machine, and several times that on a busy one. */
const TEST_LIMIT_MS = 600_000;

/** Clients of each kind that send one request after the other. */
const CLIENTS = 2;

/** Between two requests of a client. Without a pause, most of the test's time is the load that slows down its starts. */
const PAUSE_MS = 50;

let postgres: Postgres;
let balancer: Balancer;
/** Replicas that the balancer watches, ready or not. */
const watched = new Map<number, Service>();
let databaseUrl: string;

async function startReplica(): Promise<Service> {
  const service = await startService({
    SERVICE_AUTH_ENABLED: "true",
    SERVICE_TRUST_PROXY: "true",
    DATABASE_URL: databaseUrl,
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
    SERVICE_DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
  });
  await vi.waitUntil(() => isReady(service.port), { timeout: READY_LIMIT_MS, interval: CHECK_MS });
  watched.set(service.port, service);
  return service;
}

function isReady(port: number): Promise<boolean> {
  const answer = new Client(`http://127.0.0.1:${port}`).ask("GET", "/readyz");
  return answer.then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Does what an orchestrator does: sends requests to the replicas that are ready. */
async function watchReadiness(signal: AbortSignal): Promise<void> {
  let served = "";
  while (!signal.aborted) {
    const ports = [...watched.keys()];
    const ready = await Promise.all(ports.map(isReady));
    const wanted = ports.filter((_, at) => ready[at]);
    if (wanted.length > 0 && wanted.join() !== served) balancer.sendTo(wanted);
    if (wanted.length > 0) served = wanted.join();
    await sleep(CHECK_MS);
  }
}

/** Sends one request after the other, with pauses. @returns how many succeeded, and what each of the others got */
async function keepAsking(ask: (count: number) => Promise<{ status: number }>, signal: AbortSignal) {
  const outcome = { succeeded: 0, failures: [] as unknown[] };
  for (let count = 0; !signal.aborted; count++) {
    const answer = await ask(count).catch((error: unknown) => ({ status: error }));
    if (answer.status === 200) outcome.succeeded++;
    else outcome.failures.push(answer);
    await sleep(PAUSE_MS);
  }
  return outcome;
}

beforeAll(async () => {
  postgres = await startPostgres();
  databaseUrl = await postgres.createDatabase("rolling");
  await Promise.all([startReplica(), startReplica()]);
  balancer = await startBalancer([...watched.keys()]);
});

afterAll(async () => {
  for (const service of watched.values()) await service.stop();
  await balancer?.remove();
  await postgres?.remove();
});

it(
  "ten rolling restarts of two replicas under load fail no request",
  async () => {
    const { client } = balancer;
    const { cookie } = await client.logIn(ADMIN.email, ADMIN.password);
    const created = await client.ask("POST", "/api/service/tokens", { body: { name: "load" }, cookie });
    const { token } = created.json() as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const render = (client: Client, title: string) =>
      client.ask("POST", "/api/service/images/render", {
        body: { template: "blog/article", data: { title } },
        headers,
      });

    const end = new AbortController();
    const watching = watchReadiness(end.signal);
    const load = Array.from({ length: CLIENTS }, (_, at) => [
      keepAsking((count) => render(client, `Render ${count} of client ${at}`), end.signal),
      keepAsking(() => client.ask("GET", "/api/service/account", { cookie }), end.signal),
    ]).flat();
    const exits: Promise<{ code: number | null }>[] = [];
    let serving = [...watched.values()];
    for (let round = 0; round < RESTARTS; round++) {
      const successors = await Promise.all([startReplica(), startReplica()]);
      for (const service of serving) exits.push(service.stop().finally(() => watched.delete(service.port)));
      serving = successors;
    }
    const codes = (await Promise.all(exits)).map(({ code }) => code);
    end.abort();
    await watching;
    const outcomes = await Promise.all(load);
    expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
    for (const { succeeded } of outcomes) expect(succeeded).toBeGreaterThan(RESTARTS);
    expect(codes).toEqual(Array.from({ length: 2 * RESTARTS }, () => 0));
  },
  TEST_LIMIT_MS,
);
