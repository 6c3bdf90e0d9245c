import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mainContext, replaceShipped } from "#scripts/programs/nginx-config.ts";
import { type ComposeVariables, composeEnvironment, readCompose } from "#tests/compose-file.ts";
import { IMAGE_COMMAND, IMAGE_ENVIRONMENT } from "#tests/dockerfile.ts";
import { Client } from "#tests/e2e/client.ts";
import { freePort } from "#tests/free-port.ts";
import { type Balancer, startBalancer } from "#tests/postgres/balancer.ts";
import { type Postgres, type Program, postgresProgram, startPostgres, startProgram } from "#tests/postgres/programs.ts";

const run = promisify(execFile);

const ADMIN = { email: "grace@example.com", password: "a bug in the relay, pinned" };

/** The file as Compose reads it, and the processes that it describes, on ports of this machine instead of those of containers. */
let services: ReturnType<typeof readCompose>["services"];
let dir: string;
let environment: Record<string, string>;
let postgres: Postgres;
let server: Program;
let nginx: Balancer;

/** Runs a command of a container in this tree. @returns what it printed */
async function inContainer([program = "", ...args]: string[]): Promise<string> {
  const { stdout } = await run(program, args, { env: environment as NodeJS.ProcessEnv });
  return stdout.trim();
}

/** What nginx's command makes of the shipped configuration. */
async function nginxConfigOfContainer(): Promise<string> {
  const [shell = "", option = "", script = ""] = services.nginx.command ?? [];
  const written = join(dir, "default.conf");
  const main = join(dir, "main.conf");
  writeFileSync(main, "events {\n    worker_connections  1024;\n}\n");
  const ownScript = replaceShipped("deploy/compose.yaml", script, {
    "/etc/platen/nginx.conf": resolve("deploy/nginx.conf"),
    "/etc/nginx/conf.d/default.conf": written,
    "/etc/nginx/nginx.conf": main,
    "exec nginx -g 'daemon off; worker_rlimit_nofile 70000;'": "",
  });
  await run(shell, [option, ownScript]);
  expect(`worker_rlimit_nofile 70000; ${readFileSync(main, "utf8").replace(/\s+/g, " ").trim()}`).toBe(mainContext());
  return readFileSync(written, "utf8");
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "platen-compose-"));
  const [port, publicPort] = [await freePort(), await freePort()];
  const variables: ComposeVariables = {
    PLATEN_ORIGIN: `https://localhost:${publicPort}`,
    PLATEN_ADMIN_EMAIL: ADMIN.email,
    PLATEN_ADMIN_PASSWORD: ADMIN.password,
    POSTGRES_PASSWORD: "letters1",
    SERVICE_LINK_KEYS: `web:${"k".repeat(32)}`,
    SERVICE_RENDER_WORKERS: "1",
  };
  ({ services } = readCompose(variables));
  const {
    POSTGRES_USER: user = "",
    POSTGRES_PASSWORD: password = "",
    POSTGRES_DB: database = "",
  } = composeEnvironment(services.postgres, variables);
  postgres = await startPostgres({ user, password });
  await postgres.createDatabase(database);
  const ofFile = composeEnvironment(services.platen, variables);
  environment = {
    ...IMAGE_ENVIRONMENT,
    ...ofFile,
    PATH: process.env.PATH ?? "",
    HOME: dir,
    SERVICE_DATA_DIR: dir,
    DATABASE_URL: replaceShipped("DATABASE_URL", ofFile.DATABASE_URL ?? "", {
      "@postgres:5432/": `@127.0.0.1:${postgres.port}/`,
    }),
    HOST: "127.0.0.1",
    PORT: String(port),
  };
  const shipped = { text: await nginxConfigOfContainer(), server: "platen:3000" };
  await inContainer(services.migrate.command ?? []);
  const [command = "", ...args] = IMAGE_COMMAND;
  const direct = new Client(`http://127.0.0.1:${port}`);
  const isReady = async () => (await direct.ask("GET", "/readyz")).status === 200;
  server = await startProgram({ command, args, isReady, asRoot: true, env: environment as NodeJS.ProcessEnv });
  nginx = await startBalancer([port], { port: publicPort, shipped });
});

afterAll(async () => {
  await nginx?.remove();
  await server?.stop();
  await postgres?.remove();
  if (dir) rmSync(dir, { recursive: true, force: true });
});

it("asks PostgreSQL for its health over TCP", async () => {
  const [kind, program = "", ...args] = services.postgres.healthcheck?.test ?? [];
  expect(kind).toBe("CMD");
  const { stdout } = await run(postgresProgram(program), [...args, `--port=${postgres.port}`]);
  expect(stdout).toContain("accepting connections");
});

it("signs the administrator in through nginx over TLS, and renders for a token", async () => {
  const { client } = nginx;
  const { cookie, status } = await client.logIn(ADMIN.email, ADMIN.password);
  expect(status).toBe(200);
  const created = await client.ask("POST", "/api/service/tokens", { body: { name: "script" }, cookie });
  const { token } = created.json() as { token: string };
  const answer = await client.render({ authorization: `Bearer ${token}` });
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "image/png"]);
});

it("accepts no origin but PLATEN_ORIGIN", async () => {
  const { status } = await nginx.client.logIn(ADMIN.email, ADMIN.password, { origin: "https://localhost" });
  expect(status).toBe(403);
});

it("signs links with the keys of deploy/.env, and answers them from nginx's cache", async () => {
  const link = new URL(await inContainer(["node", "scripts/link.ts", "social/quote"]));
  expect(link.origin).toBe(nginx.client.origin);
  const answers = [await nginx.client.ask("GET", link.pathname), await nginx.client.ask("GET", link.pathname)];
  expect(answers.map(({ status, headers }) => [status, headers["x-cache"]])).toEqual([
    [200, "MISS"],
    [200, "HIT"],
  ]);
});

it("has the administrator in PostgreSQL", async () => {
  expect(await inContainer(["node", "scripts/users.ts", "list"])).toContain(ADMIN.email);
});

it("ends with 0 when its container is stopped", async () => {
  await server.stop("SIGTERM");
  expect(server.child.exitCode).toBe(0);
});
