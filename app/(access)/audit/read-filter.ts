import { AuditQuery } from "#lib/schemas/audit.ts";
import { UsersQuery } from "#lib/schemas/user.ts";
import type { Filter } from "./filter.ts";

/** The query of a page, as it comes. */
export type Parameters = Record<string, string | string[] | undefined>;

/** What an address asks for, by the rules of the routes. What they would refuse counts as absent: addresses are typed by hand. */
export function readFilter({ action, user, before, after }: Parameters): Filter {
  const { shape } = AuditQuery;
  return {
    action: shape.action.safeParse(action).data ?? "",
    user: UsersQuery.shape.search.safeParse(user).data ?? "",
    before: shape.before.safeParse(before).data ?? "",
    after: shape.after.safeParse(after).data ?? "",
  };
}

/** Whether what was asked for names a user by id. */
export function isId(user: string): boolean {
  return AuditQuery.shape.user.safeParse(user).success;
}
