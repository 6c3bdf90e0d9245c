import { z } from "zod";
import { User } from "#lib/schemas/user.ts";
import { GET as getUsers } from "../../../api/service/users/route.ts";
import { read } from "../../../ui/read.ts";
import type { Viewer } from "../../../ui/viewer.ts";

const PER_PAGE = 50;

/**
 * Whether nobody else could manage users. Administrators come first in the order of roles: the first pages that hold any are read, which
 * is one almost always. The route itself refuses to lose the last one, whatever is known here.
 */
export async function isLastAdministrator({ id, role, status }: Viewer): Promise<boolean> {
  if (role !== "admin" || status !== "active") return false;
  for (let page = 1; ; page++) {
    const query = { sort: "role", page: String(page), limit: String(PER_PAGE) };
    const users = await read(getUsers, { returns: z.array(User), query });
    if (users.some((other) => other.id !== id && other.role === "admin" && other.status === "active")) return false;
    if (users.length < PER_PAGE || users.at(-1)?.role !== "admin") return true;
  }
}
