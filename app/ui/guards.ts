import { notFound, redirect } from "next/navigation";
import { accessEnabled } from "#lib/config.ts";
import { loginPath } from "./local-path.ts";
import { type Viewer, viewer } from "./viewer.ts";

/** For pages that are there only with the access layer on. Ends the page with a 404 otherwise. */
export function requireAccessLayer(): void {
  if (!accessEnabled()) notFound();
}

/** For pages of everyone with an account. Leads to the sign-in page and from there back to `path`, which is the page's own. */
export async function requireSignedIn(path: string): Promise<Viewer> {
  requireAccessLayer();
  return (await viewer()) ?? redirect(loginPath(path));
}

/** For pages of administrators. To other users there is nothing at `path`; nobody at all is asked to sign in. */
export async function requireAdministrator(path: string): Promise<Viewer> {
  const user = await requireSignedIn(path);
  if (user.role !== "admin") notFound();
  return user;
}

/** For the studio: anyone in open mode (`null`), otherwise everyone who is signed in. */
export async function requireStudio(path: string): Promise<Viewer | null> {
  return accessEnabled() ? requireSignedIn(path) : null;
}

/** For pages that show how the service does: anyone in open mode (`null`), otherwise administrators. */
export async function requireOperator(path: string): Promise<Viewer | null> {
  return accessEnabled() ? requireAdministrator(path) : null;
}
