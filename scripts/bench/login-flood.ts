import { fork } from "node:child_process";
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

/** Runs `measure` while a process of lower priority floods the server: in reality, a flood comes from other machines. */
async function underFlood<T>(origin: string, measure: () => Promise<T>): Promise<{ result: T; statuses: Statuses }> {
  const clients = fork(join(import.meta.dirname, "flood/clients.ts"), [new URL(origin).port, String(CONNECTIONS)]);
  setPriority(clients.pid as number, constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    await sleep(WARM_UP_SECONDS * 1_000);
    const result = await measure();
    clients.send("statuses");
    const [statuses] = (await once(clients, "message")) as [Statuses];
    return { result, statuses };
  } finally {
    const ended = once(clients, "exit");
    clients.disconnect();
    await ended;
  }
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
    const idle = await measureOthers(server.origin, others, seconds);
    const { result, statuses } = await underFlood(server.origin, () => measureOthers(server.origin, others, seconds));
    const rows = Object.entries(result).map(([name, under]) => {
      const before = idle[name];
      const ratio = before ? Number((under.p95 / before.p95).toFixed(2)) : Number.NaN;
      return { request: name, "idle p50": before?.p50, "idle p95": before?.p95, ...under, "p95 / idle": ratio };
    });
    const database = process.env.DATABASE_URL ? "PostgreSQL" : "the embedded database";
    console.log(
      `${CONNECTIONS} connections send wrong logins, from a process of lower priority on the same ${availableParallelism()} cores; ${database}. Milliseconds:`,
    );
    console.table(rows);
    console.log("Logins answered, by status:", statuses);
  } finally {
    await server.end();
    rmSync(dir, { recursive: true, force: true });
  }
}
