import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { devices } from "@playwright/test";
import { Client } from "../client.ts";
import { type Service, startService } from "../service.ts";

export type Person = { id: string; email: string; password: string; name: string };

/** A server that was started for the tests, with an HTTP client. */
export type Server = { origin: string; service: Service; client: Client };

/**
 * A server with the access layer, and two people with a session each. Tests must not change them, nor end their
 * sessions: see `makePerson`.
 */
export type GuardedServer = Server & {
  admin: Person;
  user: Person;
  sessions: { admin: string; user: string };
  databaseDir: string;
};

type NewPerson = { role?: "user" | "admin"; name?: string };

const LOG_POLL_MS = 50;

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };

async function start(env: Record<string, string>): Promise<Server> {
  const service = await startService(env);
  return { origin: service.origin, service, client: new Client(service.origin) };
}

/** Logs in. @returns the session cookie, as `service_session=…` */
export async function newSession(
  { client }: Server,
  { email, password }: Pick<Person, "email" | "password">,
): Promise<string> {
  const answer = await client.logIn(email, password, { "user-agent": devices["Desktop Chrome"].userAgent });
  if (answer.status !== 200 || !answer.cookie) throw new Error(`Got ${answer.text} to a login, want a session`);
  return answer.cookie;
}

let made = 0;

/** Creates a user with a unique email through the API. */
export async function makePerson(
  server: Server & { sessions: { admin: string } },
  { role = "user", name }: NewPerson = {},
): Promise<Person> {
  made += 1;
  const person = {
    email: `person-${process.pid}-${made}@example.com`,
    password: `a pass phrase, number ${made}`,
    name: name ?? `Person ${made}`,
  };
  const cookie = server.sessions.admin;
  const answer = await server.client.ask("POST", "/api/service/users", { body: { ...person, role }, cookie });
  if (answer.status !== 201) throw new Error(`Got ${answer.text}, want a new user`);
  return { ...person, id: (answer.json() as { id: string }).id };
}

function startOpen(environment: Record<string, string>): Promise<Server> {
  return start({ ...environment, SERVICE_AUTH_ENABLED: "false" });
}

/** Waits until the log says that the first administrator was created, which happens after the server listens. */
async function firstAdministrator({ service }: Server): Promise<void> {
  while (!/first administrator/i.test(service.output())) {
    if (service.npm.exitCode !== null) throw new Error(`npm start ended:\n${service.output()}`);
    await sleep(LOG_POLL_MS);
  }
}

async function startGuarded(environment: Record<string, string>, databaseDir: string): Promise<GuardedServer> {
  const server = await start({
    ...environment,
    SERVICE_AUTH_ENABLED: "true",
    DATABASE_URL: "",
    SERVICE_DATABASE_DIR: databaseDir,
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
  });
  try {
    return { ...server, ...(await addPeople(server)), databaseDir };
  } catch (error) {
    await server.service.stop();
    throw error;
  }
}

/** Adds the two standing people and their sessions. */
async function addPeople(server: Server): Promise<Pick<GuardedServer, "admin" | "user" | "sessions">> {
  await firstAdministrator(server);
  const cookie = await newSession(server, ADMIN);
  const renamed = await server.client.ask("PATCH", "/api/service/account", { body: { name: "Ada Lovelace" }, cookie });
  const admin = { ...ADMIN, ...(renamed.json() as { id: string; name: string }) };
  const user = await makePerson({ ...server, sessions: { admin: cookie } }, { name: "Grace Hopper" });
  const sessions = { admin: cookie, user: await newSession(server, user) };
  return { admin, user, sessions };
}

/** Both kinds of server. Each is started on first use, and kept until `stop`. */
export class Servers {
  readonly #dir = mkdtempSync(join(tmpdir(), "platen-pages-"));
  readonly #environment: Record<string, string>;
  #open: Promise<Server> | undefined;
  #guarded: Promise<GuardedServer> | undefined;

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  open(): Promise<Server> {
    this.#open ??= startOpen(this.#environment);
    return this.#open;
  }

  guarded(): Promise<GuardedServer> {
    this.#guarded ??= startGuarded(this.#environment, join(this.#dir, "database"));
    return this.#guarded;
  }

  async stop(): Promise<void> {
    for (const server of await Promise.allSettled([this.#open, this.#guarded])) {
      if (server.status === "fulfilled" && server.value?.service.npm.exitCode === null)
        await server.value.service.stop();
    }
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
