import { headers } from "next/headers";
import { cache } from "react";
import type { z } from "zod";
import { accessEnabled } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { call } from "#lib/http/route/call.ts";
import { User } from "#lib/schemas/user.ts";
import { GET as getAccount } from "../api/service/account/route.ts";

export type Viewer = z.output<typeof User>;

/**
 * Who looks at the page, asked once per request; `null` for nobody, and always in open mode, which touches no database.
 * @throws AppError `unavailable`
 */
export const viewer = cache(async (): Promise<Viewer | null> => {
  // Read before anything else: a page that asks for its viewer is never made at build time.
  const own = await headers();
  if (!accessEnabled()) return null;
  try {
    return await call(getAccount, { returns: User, headers: own });
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthorized") return null;
    throw error;
  }
});
