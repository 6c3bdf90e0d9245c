import { once } from "node:events";
import type { Server } from "node:http";
import { setImmediate as nextPass, setTimeout as sleep } from "node:timers/promises";
import { renderTimeoutMs } from "#lib/config.ts";
import { LAST_CONNECTIONS_MS, LAST_RESPONSES_MS, READ_ON_MS, STOP_MARGIN_MS } from "#lib/http/http-limits.ts";
import { closeIdleConnections } from "#lib/http/server/connections/open-connections.ts";
import { beginDraining } from "#lib/life-cycle.ts";
import { log } from "#lib/log.ts";
import { shutDownNow } from "#lib/render/render.ts";
import { stopTracing } from "#lib/tracing.ts";
import type { DatabaseLife } from "../database.ts";
import { exitNow } from "./exit-now.ts";
import { onStopSignal } from "./stop-signal.ts";

/** How long an open handle, such as a lookup of a host, may keep the stopped process alive, in milliseconds. */
const EXIT_BACKSTOP_MS = 2_000;

type Served = { server: Server; database: DatabaseLife; drainDelayMs: number };

/**
 * Waits until no connection waits to be accepted. Node accepts one in each pass of the event loop, and the system resets those that a
 * closing listener leaves.
 */
async function acceptWaiting(server: Server): Promise<void> {
  const endsAt = performance.now() + LAST_CONNECTIONS_MS;
  let isAccepting = true;
  const note = () => {
    isAccepting = true;
  };
  server.on("connection", note);
  while (isAccepting && performance.now() < endsAt) {
    isAccepting = false;
    await nextPass();
  }
  server.off("connection", note);
}

/**
 * Closes the listener, and waits until running requests have ended. Those that cannot end within the deadline of a render are
 * refused with 503 and cut a second later.
 */
async function endRequests(server: Server): Promise<void> {
  const closed = once(server, "close");
  await sleep(READ_ON_MS);
  await acceptWaiting(server);
  server.close();
  await sleep(READ_ON_MS);
  // After a wait that was too long because the thread was busy, requests have arrived that are not read yet.
  await nextPass();
  closeIdleConnections();
  const limits = [
    setTimeout(() => void shutDownNow(), renderTimeoutMs()),
    setTimeout(() => server.closeAllConnections(), renderTimeoutMs() + LAST_RESPONSES_MS),
  ];
  await closed;
  for (const limit of limits) clearTimeout(limit);
}

/** Ends a server in order: requests, browsers, database. */
class Stop {
  readonly #served: Served;
  readonly #skipDelay = new AbortController();
  #phase: "serving" | "announcing" | "ending" = "serving";

  constructor(served: Served) {
    this.#served = served;
  }

  /** The first signal stops in order, one during the delay ends the delay, and a later one exits at once. */
  onSignal(signal: NodeJS.Signals): void {
    if (this.#phase === "serving") void this.#run(signal);
    else if (this.#phase === "announcing") this.#skipDelay.abort();
    else exitNow(1);
  }

  async #run(signal: NodeJS.Signals): Promise<void> {
    const { server, database, drainDelayMs } = this.#served;
    beginDraining();
    if (drainDelayMs > 0) await this.#announce(signal);
    this.#phase = "ending";
    log().info(`${signal}: finishing running requests. Send it again to stop at once.`);
    setTimeout(() => {
      log().error("Not everything has ended in time. Exiting.");
      exitNow(1);
    }, renderTimeoutMs() + STOP_MARGIN_MS).unref();
    await endRequests(server);
    await shutDownNow();
    await database.stop();
    await stopTracing();
    log().info("Stopped.");
    // The process ends by itself unless a handle is left open.
    setTimeout(() => exitNow(0), EXIT_BACKSTOP_MS).unref();
  }

  /** Goes on serving, so that balancers learn from `/readyz` that they should not send anything more. */
  async #announce(signal: NodeJS.Signals): Promise<void> {
    const { drainDelayMs } = this.#served;
    this.#phase = "announcing";
    log().info(`${signal}: no longer ready, and serving for another ${drainDelayMs} ms. Send it again to skip that.`);
    await sleep(drainDelayMs, undefined, { signal: this.#skipDelay.signal }).catch(() => undefined);
  }
}

/** Stops the server at SIGTERM, SIGINT or SIGHUP. It takes the delay, the deadline of a render, and {@link STOP_MARGIN_MS} at most. */
export function stopOnSignal(served: Served): void {
  const stop = new Stop(served);
  onStopSignal((signal) => stop.onSignal(signal));
}
