import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { z } from "zod";
import { accessEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { call } from "#lib/http/route/call.ts";
import { noSuchPage } from "#lib/http/server/page-error.ts";
import { User } from "#lib/schemas/user.ts";
import { GET as getAccount } from "../../api/service/account/route.ts";
import { loginPath } from "./local-path.ts";

export type Viewer = z.output<typeof User>;

/**
 * The signed-in user of the request, read once. `null` without a session, and in open mode, which reads no database.
 * @throws AppError `unavailable`
 */
export const viewer = cache(async (): Promise<Viewer | null> => {
  // Comes first: reading headers keeps Next from rendering the page at build time.
  const requestHeaders = await headers();
  if (!accessEnabled()) return null;
  try {
    return await call(getAccount, { returns: User, headers: requestHeaders });
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthorized") return null;
    throw error;
  }
});

/**
 * The viewer, or `null` when they cannot be read: then the page reports the error, and what is around it must still render.
 */
export async function viewerOrNull(): Promise<Viewer | null> {
  try {
    return await viewer();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** For pages of the access layer. @throws AppError `not_found` without it */
export function requireAccessLayer(): void {
  if (!accessEnabled()) throw noSuchPage();
}

/**
 * For pages of signed-in users. Others are redirected to the sign-in page, which leads back to `path`, the page itself.
 */
export async function requireSignedIn(path: string): Promise<Viewer> {
  requireAccessLayer();
  return (await viewer()) ?? redirect(loginPath(path));
}

/** For pages of administrators. They are a 404 for other users, and a redirect to the sign-in page for visitors. */
export async function requireAdministrator(path: string): Promise<Viewer> {
  const user = await requireSignedIn(path);
  if (user.role !== "admin") throw noSuchPage();
  return user;
}

/** For the studio: open to everyone in open mode (`null`), otherwise to signed-in users. */
export async function requireStudio(path: string): Promise<Viewer | null> {
  return accessEnabled() ? requireSignedIn(path) : null;
}

/** For the status page: open to everyone in open mode (`null`), otherwise to administrators. */
export async function requireOperator(path: string): Promise<Viewer | null> {
  return accessEnabled() ? requireAdministrator(path) : null;
}
