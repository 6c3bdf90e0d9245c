import { z } from "zod";
import type { ExportFormat } from "#lib/access/audit/export-trail.ts";
import { PATHS } from "#lib/operations/paths.ts";
import { AuditQuery } from "#lib/schemas/audit.ts";
import { UsersQuery } from "#lib/schemas/user.ts";

/** The part of the audit trail that a page shows. An empty text is no filter. */
export type Filter = {
  action: string;
  /** The id of a user, or a search for one. */
  user: string;
  /** The first and the last day that are shown, in UTC: 2026-11-22. */
  since: string;
  until: string;
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

/** The address of the export of all entries that a filter shows, on all pages. */
export function exportHref(format: ExportFormat, { action, user, since, until }: Filter): string {
  const given = Object.entries({ format, action, user, since, until }).filter(([, value]) => value !== "");
  return `${PATHS.auditExport}?${new URLSearchParams(given)}`;
}

/** The unvalidated query of a page. */
export type Parameters = Record<string, string | string[] | undefined>;

/** A date that the schema of a route takes. A time is ignored, because a control for dates cannot show it. */
function dayOf(text: Parameters[string], schema: z.ZodType): string {
  const isDay = z.iso.date().safeParse(text).success && schema.safeParse(text).success;
  return isDay ? String(text) : "";
}

/** Reads a query by the schemas of the routes. Invalid values are ignored, because people type addresses by hand. */
export function readFilter({ action, user, since, until, before, after }: Parameters): Filter {
  const { shape } = AuditQuery;
  return {
    action: shape.action.safeParse(action).data ?? "",
    user: UsersQuery.shape.search.safeParse(user).data ?? "",
    since: dayOf(since, shape.since),
    until: dayOf(until, shape.until),
    before: shape.before.safeParse(before).data ?? "",
    after: shape.after.safeParse(after).data ?? "",
  };
}

/** Whether the filter for a user is an id. */
export function isId(user: string): boolean {
  return AuditQuery.shape.user.safeParse(user).success;
}
