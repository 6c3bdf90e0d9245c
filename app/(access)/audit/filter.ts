import { AuditQuery } from "#lib/schemas/audit.ts";
import { UsersQuery } from "#lib/schemas/user.ts";

/** The part of the audit trail that a page shows. An empty text is no filter. */
export type Filter = {
  action: string;
  /** The id of a user, or a search for one. */
  user: string;
  /** Shows the entries older than this one. */
  before: string;
  /** Shows the entries newer than this one. */
  after: string;
};

/** The address of the audit page with a filter. */
export function auditHref(filter: Partial<Filter>): string {
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  return given.length > 0 ? `/audit?${new URLSearchParams(given)}` : "/audit";
}

/** The unvalidated query of a page. */
export type Parameters = Record<string, string | string[] | undefined>;

/** Reads a query by the schemas of the routes. Invalid values are ignored, because people type addresses by hand. */
export function readFilter({ action, user, before, after }: Parameters): Filter {
  const { shape } = AuditQuery;
  return {
    action: shape.action.safeParse(action).data ?? "",
    user: UsersQuery.shape.search.safeParse(user).data ?? "",
    before: shape.before.safeParse(before).data ?? "",
    after: shape.after.safeParse(after).data ?? "",
  };
}

/** Whether the filter for a user is an id. */
export function isId(user: string): boolean {
  return AuditQuery.shape.user.safeParse(user).success;
}
