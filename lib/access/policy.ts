import { accessEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";

/** Who acts. Without the access layer nobody is known, and nobody has to be. */
export type Actor = { kind: "anonymous" };

/** Decides who may act. @throws AppError when the caller may not */
export type Policy = (request: Request) => Actor | Promise<Actor>;

const ANONYMOUS: Actor = { kind: "anonymous" };

/** Probes and answers that are the same for everyone. */
export const anyone: Policy = () => ANONYMOUS;

function openModeOnly(): Actor {
  if (accessEnabled()) throw accessLayerMissing();
  return ANONYMOUS;
}

/** Who may render: everyone in open mode. */
export const renderer: Policy = openModeOnly;

/** Who may see which templates there are: everyone in open mode. */
export const viewer: Policy = openModeOnly;

/** An operator who asks for authentication must never get a service that renders for everyone instead. */
export function accessLayerMissing(): AppError {
  return new AppError(
    "misconfigured",
    "SERVICE_AUTH_ENABLED is true, and this version has no access layer. Unset it to serve without authentication.",
  );
}
