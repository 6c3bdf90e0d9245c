import { EventEmitter, once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { lookUpHost } from "#lib/addresses/lookup-host.ts";
import { processState } from "#lib/process-state.ts";
import { CANCEL_OPEN_MS, CANCEL_PROOF_MS, CANCEL_TIMEOUT_MS, OPEN_CANCELS } from "./database-limits.ts";

/** The argument of the driver's `socket` option, which its types leave out. */
export type Address = { host: string[]; port: number[]; path: string | false };
/** What a server requires before it cancels the statement of a connection. */
export type CancelKey = { pid: number; secret: number };

/** https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-CANCELREQUEST */
const CANCEL_REQUEST_CODE = 80_877_102;

/**
 * Counts the cancel requests that are open. Only one is, unless one was answered lately: behind a PgBouncer whose PostgreSQL has disappeared,
 * each takes the one connection that it tries to open every 15 s (`server_login_retry`), before any statement.
 */
class OpenCancels extends EventEmitter<{ closed: [] }> {
  #count = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;

  get #most(): number {
    return performance.now() - this.#answeredAt < CANCEL_PROOF_MS ? OPEN_CANCELS : 1;
  }

  /** Counts one more, once there is room for it. False if that takes too long. */
  async open(): Promise<boolean> {
    const signal = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
    try {
      while (this.#count >= this.#most) await once(this, "closed", { signal });
    } catch {
      return false;
    }
    this.#count++;
    return true;
  }

  close(isAnswered: boolean): void {
    this.#count--;
    if (isAnswered) this.#answeredAt = performance.now();
    this.emit("closed");
  }
}

const cancels = processState("open-cancels", () => new OpenCancels().setMaxListeners(0));

/** Opens a socket to a server, or to the pooler before it. */
export function connectTo({ host, port, path }: Address): Socket {
  if (path) return createConnection({ path });
  const address = { host: host[0] ?? "localhost", port: port[0] ?? 5432 };
  // The driver reads the host name for the server's certificate from the socket.
  return Object.assign(createConnection({ ...address, lookup: lookUpHost }), address);
}

/**
 * Asks the server to cancel a statement. The protocol requires a separate connection for that. It stays open until the server closes it,
 * {@link CANCEL_OPEN_MS} at most: PgBouncer forgets the request of a client that is gone, or ends by a fault of its own once PostgreSQL has
 * the request (https://github.com/pgbouncer/pgbouncer/issues/801). Where one stays open, nothing more is asked for. Resolves when the
 * server has cancelled the statement, or after {@link CANCEL_TIMEOUT_MS} for each of the two. Never throws.
 */
export async function cancelStatement(address: Address, { pid, secret }: CancelKey): Promise<void> {
  if (!(await cancels.get().open())) return;
  const message = Buffer.alloc(16);
  for (const [index, value] of [message.length, CANCEL_REQUEST_CODE, pid, secret].entries())
    message.writeUInt32BE(value, index * 4);
  const socket = connectTo(address);
  const end = setTimeout(() => socket.destroy(), CANCEL_OPEN_MS).unref();
  socket.on("error", () => socket.destroy());
  let isAnswered = false;
  socket.on("end", () => {
    isAnswered = true;
  });
  socket.resume().write(message);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, CANCEL_TIMEOUT_MS);
    socket.once("close", () => {
      cancels.get().close(isAnswered);
      clearTimeout(end);
      clearTimeout(timer);
      resolve();
    });
  });
  socket.unref();
}
