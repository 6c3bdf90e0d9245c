import { AppError } from "#lib/errors.ts";
import { isLoopback } from "#lib/http/identity/developer.ts";
import type { ReceivedRequest } from "#lib/http/server/request-context.ts";

/** The header in which `scripts/dev/peer.ts` writes where a connection comes from. It replaces one of the client. */
const PEER_HEADER = "x-platen-peer";

/** Requires a connection from this machine itself. @throws AppError `forbidden` */
export function requireLoopback({ headers }: ReceivedRequest): void {
  if (isLoopback(headers.get(PEER_HEADER) ?? "")) return;
  throw new AppError("forbidden", "The workshop writes files, so it answers only to the machine that it runs on.");
}
