import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
// Before the other modules of Next, which look for what it prepares.
import "next/dist/server/node-environment.js";
import next from "next";
import { ensureInstrumentationRegistered } from "next/dist/server/lib/router-utils/instrumentation-globals.external.js";
import { addressGroup } from "#lib/addresses/address-group.ts";
import { accessEnabled, hostConfig, PROJECT_DIR, type ServerConfig } from "#lib/config.ts";
import { nameRequesters } from "#lib/db/lanes.ts";
import { senderAddress } from "#lib/http/identity/caller.ts";
import { fastPaths } from "#lib/http/server/fast-path.ts";
import { currentRequestContext } from "#lib/http/server/request-context.ts";
import { RequestLines } from "#lib/http/server/request-lines.ts";
import { countUnder } from "#lib/http/server/request-metrics.ts";
import { createHttpServer } from "#lib/http/server/server.ts";
import { staticFiles } from "#lib/http/server/static-files.ts";
import { isStarted } from "#lib/life-cycle.ts";
import { log } from "#lib/log.ts";
import { COUNTED_PATHS, PATHS } from "#lib/operations/paths.ts";
import { reportReplacedBuild } from "./build/replaced-build.ts";
import type { DatabaseLife } from "./database.ts";
import { stopOnSignal } from "./start/stop.ts";

/**
 * How long the first requests wait for the first administrator, in milliseconds, unless the database does not answer. Its tables
 * are created in about two seconds, and on a busy machine in ten times that. `/readyz` says when it exists.
 */
const FIRST_ADMINISTRATOR_MS = 30_000;

/** The address to open, for the log. An IPv6 host needs brackets. */
function addressOf({ port, host }: Pick<ServerConfig, "port" | "host">): string {
  return `http://${host?.includes(":") ? `[${host}]` : (host ?? "localhost")}:${port}`;
}

/** The hosts that open mode answers to, and how to add one. */
function hostNotice(): string {
  const { names, publicOrigin } = hostConfig();
  if (names.includes("*")) return "Open mode: it answers to every host name (SERVICE_HOSTS is *).";
  const named = [...names, ...(publicOrigin ? [new URL(publicOrigin).hostname] : [])].join(", ");
  return `Open mode: it answers to ${named}, to addresses and to names of private networks. For a public name, set SERVICE_HOSTS or SERVICE_PUBLIC_ORIGIN.`;
}

/** The name under which logins of the current request's client are counted. */
function currentAddress(): string {
  const received = currentRequestContext()?.received;
  return addressGroup(received ? senderAddress(received) : null);
}

/** Sets PORT to the port that was taken, as Next's own server does: pages show it, and the configured one may be 0. */
function publishPort(server: Server): number {
  const { port } = server.address() as AddressInfo;
  process.env.PORT = String(port);
  return port;
}

/**
 * Hands the configuration of the build to Next, as its standalone server does. Otherwise Next compiles `next.config.ts` at each
 * start, which takes a third of a second to one and a half, and a standalone folder has no such file.
 */
function useBuiltConfiguration(): void {
  const file = readFileSync(join(PROJECT_DIR, ".next", "required-server-files.json"), "utf8");
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(JSON.parse(file).config);
}

/**
 * Runs `instrumentation.ts`, which Next does once and later by itself. There it would only log what is thrown, and leave every request
 * without an answer; and it would go on without the file.
 * @throws Error when it is missing or fails
 */
async function runInstrumentation(): Promise<void> {
  try {
    await ensureInstrumentationRegistered(PROJECT_DIR, ".next");
  } catch (error) {
    throw new Error(`The build cannot be started: ${(error as Error).message}`, { cause: error });
  }
  if (!isStarted()) throw new Error("The build cannot be started: it has no instrumentation.js.");
}

/**
 * Serves the built tree until a signal, then stops the database too. It listens first, so that nothing has to be stopped when
 * the address is in use. Requests wait until Next is ready.
 * @throws when the address cannot be listened on, or the build cannot be loaded
 */
export async function serve({ port, host, drainDelayMs }: ServerConfig, database: DatabaseLife): Promise<void> {
  countUnder(COUNTED_PATHS);
  nameRequesters(currentAddress);
  const paths = fastPaths();
  useBuiltConfiguration();
  reportReplacedBuild();
  const application = next({ dev: false, dir: PROJECT_DIR, port, ...(host && { hostname: host }) });
  const ready = Promise.withResolvers<void>();
  const lines = new RequestLines(PATHS);
  const sendStatic = staticFiles(join(PROJECT_DIR, ".next/static"));
  const takeTurn = (response: ServerResponse, isDirect = false) => lines.take(currentAddress(), isDirect, response);
  const server = createHttpServer(
    async (request, response) => {
      await ready.promise;
      const direct = paths.get(request.url ?? "");
      if (!(await takeTurn(response, direct !== undefined))) return;
      if (sendStatic(request, response)) return;
      const listener = direct ?? application.getRequestHandler();
      await listener(request, response);
    },
    { takeTurn },
  );
  server.on("connection", () => lines.noteConnection());
  server.listen({ port, ...(host && { host }) });
  await once(server, "listening");
  const takenPort = publishPort(server);
  stopOnSignal({ server, database, drainDelayMs });
  await runInstrumentation();
  await application.prepare();
  // The first request may be a login. An unreachable database must not keep the server from starting.
  await Promise.race([database.attempted(), sleep(FIRST_ADMINISTRATOR_MS, undefined, { ref: false })]);
  ready.resolve();
  if (!accessEnabled()) log().info(hostNotice());
  log().info(`Platen is listening on ${addressOf({ port: takenPort, host })}`);
}
