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

/** How long something forgotten may keep a drained process alive, in milliseconds. */
const EXIT_BACKSTOP_MS = 2_000;

/**
 * From when on another signal means impatience, in milliseconds. npm passes on what a terminal or a supervisor has sent to
 * the whole process group, so that one signal arrives twice.
 */
const FORCE_AFTER_MS = 1_000;

/** How long what has arrived already may take to be read before connections without a request are closed, in milliseconds. */
const ARRIVED_MS = 50;

/** How long the first requests wait for the first administrator, in milliseconds: the embedded database is made in about two seconds. */
const BEGIN_MS = 5_000;

/** What an IPv6 wildcard is called by those who want to click on it. */
function addressOf({ port, host }: ServerConfig): string {
  return `http://${host?.includes(":") ? `[${host}]` : (host ?? "localhost")}:${port}`;
}

/** Pages name the port, and 0 means any: they read the one that it has become, as Next's own server tells them too. */
function tellPort(server: Server): number {
  const { port } = server.address() as AddressInfo;
  process.env.PORT = String(port);
  return port;
}

/** No new connection, no new request on an old one; what runs may end, within the limit. */
async function drain(server: Server): Promise<void> {
  const closed = once(server, "close");
  await sleep(ARRIVED_MS);
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
    console.log(`${signal}: finishing what runs. Once more to stop at once.`);
    // Side by side: renders that cannot end in time are answered 503 before their connections are cut.
    await Promise.all([drain(server), shutDown()]);
    await database.stop();
    console.log("Stopped.");
    // The process ends because nothing is left to do; this only fires where something is.
    setTimeout(() => process.exit(0), EXIT_BACKSTOP_MS).unref();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

/**
 * Serves the built tree until a signal, and then stops the database too. The address is taken first, so that nothing has been started when it is in use;
 * requests that come before Next is ready wait for it.
 * @throws when the address cannot be listened on, or the build cannot be loaded
 */
export async function serve({ port, host }: ServerConfig, database: DatabaseLife): Promise<void> {
  countUnder(COUNTED_PATHS);
  const direct = fastPaths();
  const application = next({ dev: false, dir: PROJECT_DIR, port, ...(host && { hostname: host }) });
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  const server = createHttpServer(async (request, response) => {
    await ready.promise;
    const answer = direct.get(request.url ?? "") ?? application.getRequestHandler();
    await answer(request, response);
  });
  server.listen({ port, ...(host && { host }) });
  await once(server, "listening");
  const taken = tellPort(server);
  stopOnSignal(server, database);
  await application.prepare().catch((error: unknown) => {
    ready.reject(error);
    server.close();
    throw error;
  });
  // Whoever waited for the first answer can sign in with the first request. A database that is away is no reason not to serve.
  await Promise.race([database.begun(), sleep(BEGIN_MS, undefined, { ref: false })]);
  ready.resolve();
  console.log(`Platen is listening on ${addressOf({ port: taken, host })}`);
}
