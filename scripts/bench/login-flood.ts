import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { availableParallelism, constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPlatenWith } from "./contenders.ts";
import type { Statuses } from "./flood/flood-logins.ts";

const CONNECTIONS = 250;
const WARM_UP_SECONDS = 3;
const ADMIN = { email: "ada@example.com", password: "correct horse battery" };

/** The pause between two requests of one client. Others are people and programs, not a second flood. */
const PAUSE_MS = 50;

type Ask = { method?: string; path: string; body?: unknown; headers?: Record<string, string> };
type Answer = { status: number; cookie: string; text: string };

/** One request on a connection of its own. */
function ask(origin: string, { method = "GET", path, body, headers = {} }: Ask): Promise<Answer> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const all = { origin, ...(content !== undefined && { "content-type": "application/json" }), ...headers };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, origin), { method, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const cookie = (response.headers["set-cookie"] ?? []).map((each) => each.split(";")[0]).join("; ");
        resolve({ status: response.statusCode ?? 0, cookie, text: Buffer.concat(chunks).toString("utf8") });
      });
    });
    sent.on("error", reject);
    sent.end(content);
  });
}

type Others = Record<string, (count: number) => Ask>;

/** What others do meanwhile: look at their account, render by token, and probe. */
async function signInOthers(origin: string): Promise<Others> {
  const { cookie } = await ask(origin, { method: "POST", path: "/api/service/login", body: ADMIN });
  const made = { method: "POST", path: "/api/service/tokens", body: { name: "bench" }, headers: { cookie } };
  const { token } = JSON.parse((await ask(origin, made)).text) as { token: string };
  return {
    "GET /account": () => ({ path: "/api/service/account", headers: { cookie } }),
    "render by token": (count) => ({
      method: "POST",
      path: "/api/service/images/render",
      body: { template: "bench/flat", data: { title: `Picture ${count}` } },
      headers: { authorization: `Bearer ${token}` },
    }),
    "GET /readyz": () => ({ path: "/readyz" }),
  };
}

const rounded = (values: number[], share: number) =>
  Number((values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN).toFixed(1));

type Measured = Record<string, { requests: number; failures: number; p50: number; p95: number; max: number }>;

let pictures = 0;

/** One client for each kind of request, for `seconds`. Times in milliseconds. */
async function measureOthers(origin: string, others: Others, seconds: number): Promise<Measured> {
  const endsAt = performance.now() + seconds * 1_000;
  const client = async ([name, next]: [string, Others[string]]) => {
    const took: number[] = [];
    let failures = 0;
    while (performance.now() < endsAt) {
      const askedAt = performance.now();
      const { status } = await ask(origin, next(pictures++)).catch(() => ({ status: 0 }));
      took.push(performance.now() - askedAt);
      if (status !== 200) failures++;
      await sleep(PAUSE_MS);
    }
    const row = { p50: rounded(took, 0.5), p95: rounded(took, 0.95), max: rounded(took, 1) };
    return [name, { requests: took.length, failures, ...row }] as const;
  };
  return Object.fromEntries(await Promise.all(Object.entries(others).map(client)));
}

/** How often the flood's answers are looked at, and the most that is waited for its first phase. */
const LOOK_MS = 3_000;
const FIRST_PHASE_SECONDS = 90;

async function statusesOf(clients: ChildProcess): Promise<Statuses> {
  clients.send("statuses");
  const [statuses] = (await once(clients, "message")) as [Statuses];
  return statuses;
}

/** Waits while passwords are still verified: the first hundred of an address, two at a time. @returns how long, in seconds */
async function untilRefused(clients: ChildProcess): Promise<number> {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000);
  for (let verified = -1; seconds() < FIRST_PHASE_SECONDS; ) {
    await sleep(LOOK_MS);
    const { 401: now = 0 } = await statusesOf(clients);
    if (now > 0 && now - verified <= 1) break;
    verified = now;
  }
  return seconds();
}

type Flooded<T> = {
  /** At the beginning of the flood, while passwords are verified, and how long that went on after the measurement. */
  began: { result: T; seconds: number };
  /** Later, while every login is refused. */
  result: T;
  statuses: Statuses;
};

/** Runs `measure` twice while a process of lower priority floods the server: in reality, a flood comes from other machines. */
async function underFlood<T>(origin: string, measure: () => Promise<T>): Promise<Flooded<T>> {
  const clients = fork(join(import.meta.dirname, "flood/clients.ts"), [new URL(origin).port, String(CONNECTIONS)]);
  setPriority(clients.pid as number, constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    const began = { result: await measure(), seconds: await untilRefused(clients) };
    return { began, result: await measure(), statuses: await statusesOf(clients) };
  } finally {
    const ended = once(clients, "exit");
    clients.disconnect();
    await ended;
  }
}

/** @param idle before and after the flood: other work of the machine comes and goes */
function rowsOf(idle: Measured[], flooded: Measured): object[] {
  return Object.entries(flooded).map(([name, under]) => {
    const p95s = idle.map((measured) => measured[name]?.p95 ?? Number.NaN);
    const mean = p95s.reduce((sum, each) => sum + each, 0) / p95s.length;
    return {
      request: name,
      "idle p95s": p95s.join(", "),
      ...under,
      "p95 / idle": Number((under.p95 / mean).toFixed(2)),
    };
  });
}

/** Measures others without and with a flood of logins, and prints a row for each kind of request. */
export async function benchLoginFlood(seconds: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "platen-bench-"));
  const env = {
    SERVICE_AUTH_ENABLED: "true",
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
    SERVICE_DATABASE_DIR: join(dir, "database"),
  };
  const server = await startPlatenWith(env);
  try {
    const others = await signInOthers(server.origin);
    await measureOthers(server.origin, others, WARM_UP_SECONDS);
    const before = await measureOthers(server.origin, others, seconds);
    const { began, result, statuses } = await underFlood(server.origin, () =>
      measureOthers(server.origin, others, seconds),
    );
    const idle = [before, await measureOthers(server.origin, others, seconds)];
    const database = process.env.DATABASE_URL ? "PostgreSQL" : "the embedded database";
    console.log(
      `${CONNECTIONS} connections send wrong logins, from a process of lower priority on the same ${availableParallelism()} cores; ${database}. Milliseconds.`,
    );
    console.log("While the first passwords are verified:");
    console.table(rowsOf(idle, began.result));
    console.log(`Once every login is refused, ${began.seconds} seconds later:`);
    console.table(rowsOf(idle, result));
    console.log("Logins answered, by status:", statuses);
  } finally {
    await server.end();
    rmSync(dir, { recursive: true, force: true });
  }
}
