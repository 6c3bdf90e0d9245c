import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { linkPath } from "#lib/links/sign-link.ts";
import { isInstalled } from "../programs/is-installed.ts";
import { createCertificate, nginxConfig } from "../programs/nginx-config.ts";
import { freePort, startPlatenWith } from "./contenders.ts";
import { CARDS, fetchPng, median } from "./load.ts";

const run = promisify(execFile);

const KEY = { id: "bench", secret: "0123456789abcdef0123456789abcdef" };

/** Connections of the load generator, each with one request at a time. One thread of it saturates the service. */
const CONNECTIONS = 16;

/** Debian's package nginx-light. */
const NGINX = "nginx";

const NGINX_PAUSE_MS = 200;

/** Requests a second of one address, by wrk, which takes little time from the server. @throws Error for any answer but 2xx */
async function rateOf(url: string, seconds: number): Promise<number> {
  const { stdout } = await run("wrk", ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, url]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`Not every request was answered:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

/** Starts nginx with the configuration that ships. */
async function startNginx(replica: number): Promise<{ origin: string; end(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), "platen-bench-"));
  // As root, nginx runs its workers as another user, who needs access to the folders.
  chmodSync(dir, 0o755);
  createCertificate(dir);
  const port = await freePort();
  writeFileSync(join(dir, "nginx.conf"), nginxConfig({ dir, port, replicas: [replica] }));
  const nginx = spawn(NGINX, ["-e", join(dir, "error.log"), "-c", join(dir, "nginx.conf")], { stdio: "inherit" });
  await sleep(NGINX_PAUSE_MS);
  const end = async () => {
    const ended = once(nginx, "exit");
    nginx.kill("SIGTERM");
    await ended;
    rmSync(dir, { recursive: true, force: true });
  };
  return { origin: `https://localhost:${port}`, end };
}

type Rates = { rounds: number; seconds: number };

async function measure(title: string, url: string, { rounds, seconds }: Rates): Promise<Record<string, unknown>> {
  await rateOf(url, 1);
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) rates.push(await rateOf(url, seconds));
  return { link: title, "requests/s": Math.round(median(rates)), rounds: rates.map(Math.round).join(", ") };
}

/** Measures a kept link of each card, straight and through nginx's cache. @throws Error without wrk */
export async function benchLinks(rates: Rates): Promise<void> {
  if (!isInstalled("wrk")) throw new Error("The load generator wrk is missing. Install Debian's package wrk.");
  const env = { SERVICE_LINK_KEYS: `${KEY.id}:${KEY.secret}`, SERVICE_AUTH_ENABLED: "" };
  const platen = await startPlatenWith(env);
  const nginx = isInstalled(NGINX) ? await startNginx(Number(new URL(platen.origin).port)) : undefined;
  try {
    const rows: Record<string, unknown>[] = [];
    for (const card of CARDS) {
      const path = linkPath({ template: `bench/${card}`, data: { title: "The same" } }, KEY);
      const { length } = await fetchPng({ url: platen.origin + path });
      const title = `${card}, ${Math.round(length / 1_000)} kB`;
      rows.push(await measure(title, platen.origin + path, rates));
      if (nginx) rows.push(await measure(`${title}, nginx's cache over TLS`, nginx.origin + path, rates));
    }
    console.log(`wrk, 1 thread, ${CONNECTIONS} connections, on the same machine:`);
    console.table(rows);
  } finally {
    await nginx?.end();
    await platen.end();
  }
}
