import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next";
import { PROJECT_DIR, type ServerConfig } from "#lib/config.ts";
import { DRAIN_MS } from "#lib/http/http-limits.ts";
import { fastPaths } from "#lib/http/server/fast-path.ts";
import { countUnder } from "#lib/http/server/request-metrics.ts";
import { createHttpServer } from "#lib/http/server/server.ts";
import { closeIdleConnections } from "#lib/http/server/socket.ts";
import { COUNTED_PATHS } from "#lib/operations/paths.ts";
import { shutDown } from "#lib/render/render.ts";
import type { DatabaseLife } from "./database.ts";

/** How long an open handle may keep the stopped process alive, in milliseconds. */
const EXIT_BACKSTOP_MS = 2_000;

/**
 * After this, a second signal forces the exit, in milliseconds. npm forwards a signal that the whole process group got from a
 * terminal or a supervisor, so that it arrives twice.
 */
const FORCE_AFTER_MS = 1_000;

/** How long the server continues to read before it closes idle connections, in milliseconds: a request may be arriving. */
const READ_ON_MS = 50;

/**
 * How long the first requests wait for the first administrator, in milliseconds, unless the database does not answer. Its tables
 * are created in about two seconds, and on a busy machine in ten times that. `/readyz` says when it exists.
 */
const FIRST_ADMINISTRATOR_MS = 30_000;

/** The address to open, for the log. An IPv6 host needs brackets. */
function addressOf({ port, host }: ServerConfig): string {
  return `http://${host?.includes(":") ? `[${host}]` : (host ?? "localhost")}:${port}`;
}

/** Sets PORT to the port that was taken, as Next's own server does: pages show it, and the configured one may be 0. */
function publishPort(server: Server): number {
  const { port } = server.address() as AddressInfo;
  process.env.PORT = String(port);
  return port;
}

/** Closes the listener and idle connections, and waits until running requests have ended, or for {@link DRAIN_MS}. */
async function drain(server: Server): Promise<void> {
  const closed = once(server, "close");
  await sleep(READ_ON_MS);
  server.close();
  closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(limit);
}

function stopOnSignal(server: Server, database: DatabaseLife): void {
  let stoppingSince: number | undefined;
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined && performance.now() - stoppingSince > FORCE_AFTER_MS) process.exit(1);
    if (stoppingSince !== undefined) return;
    stoppingSince = performance.now();
    console.log(`${signal}: finishing running requests. Send it again to stop at once.`);
    // In parallel: renders that cannot end in time are refused with 503 before their connections are closed.
    await Promise.all([drain(server), shutDown()]);
    await database.stop();
    console.log("Stopped.");
    // The process ends by itself unless a handle is left open.
    setTimeout(() => process.exit(0), EXIT_BACKSTOP_MS).unref();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

/**
 * Serves the built tree until a signal, then stops the database too. It listens first, so that nothing has to be stopped when
 * the address is in use. Requests wait until Next is ready.
 * @throws when the address cannot be listened on, or the build cannot be loaded
 */
export async function serve({ port, host }: ServerConfig, database: DatabaseLife): Promise<void> {
  countUnder(COUNTED_PATHS);
  const paths = fastPaths();
  const application = next({ dev: false, dir: PROJECT_DIR, port, ...(host && { hostname: host }) });
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  const server = createHttpServer(async (request, response) => {
    await ready.promise;
    const listener = paths.get(request.url ?? "") ?? application.getRequestHandler();
    await listener(request, response);
  });
  server.listen({ port, ...(host && { host }) });
  await once(server, "listening");
  const takenPort = publishPort(server);
  stopOnSignal(server, database);
  await application.prepare().catch((error: unknown) => {
    ready.reject(error);
    server.close();
    throw error;
  });
  // The first request may be a login. An unreachable database must not keep the server from starting.
  await Promise.race([database.attempted(), sleep(FIRST_ADMINISTRATOR_MS, undefined, { ref: false })]);
  ready.resolve();
  console.log(`Platen is listening on ${addressOf({ port: takenPort, host })}`);
}
