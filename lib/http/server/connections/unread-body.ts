import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { LINGER_BYTES, LINGER_MS } from "#lib/http/http-limits.ts";

/** Connections that get their last response while their client may still be sending. */
const unread = new WeakSet<Duplex>();

/** Makes {@link lingerAfterUnreadBody} apply to a connection. */
export function markUnreadBody(socket: Duplex): void {
  unread.add(socket);
}

export function hasUnreadBody(socket: Duplex): socket is Socket {
  return unread.has(socket);
}

/**
 * Keeps a connection open after its last response while a body is still arriving. Node closes it at once, which resets the
 * connection when bytes are unread, and a client that reads only after it has sent its body loses the response. The connection
 * is half-closed instead, and its bytes are discarded, up to {@link LINGER_BYTES} and {@link LINGER_MS}.
 */
export function lingerAfterUnreadBody(socket: Socket): void {
  const destroySoon = socket.destroySoon;
  socket.destroySoon = () => {
    if (!hasUnreadBody(socket)) return destroySoon.call(socket);
    let left = LINGER_BYTES;
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
    socket.once("end", () => socket.destroy());
    const discard = () => {
      socket.removeAllListeners("data");
      socket.on("data", (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) socket.destroy();
      });
    };
    // Node pauses a connection whose body stays unread. It resumes only when its own data listener is still there.
    if (socket.isPaused()) socket.once("resume", discard);
    else discard();
    socket.end();
    socket.resume();
  };
}
