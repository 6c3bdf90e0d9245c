import { exportAuditTrail } from "#lib/access/audit/export-trail.ts";
import { findUser } from "#lib/access/users.ts";
import { AuditExportQuery } from "#lib/schemas/audit.ts";
import type { Terminal } from "./ask.ts";
import { type Options, operator, readEmail, requireArguments } from "./command.ts";

type Wanted = Omit<typeof AuditExportQuery._output, "user"> & {
  /** An email, or the id of a user, who may be deleted. */
  user: string | undefined;
};

/** The options of an export, as the route checks them. @throws UsageError */
export function readExport({ format, action, user, since, until }: Options): Wanted {
  const isEmail = user?.includes("@") === true;
  const value = { format, action, since, until, ...(!isEmail && { user }) };
  const wanted = requireArguments(AuditExportQuery, value);
  return { ...wanted, user: isEmail ? readEmail(user) : user };
}

/** Prints the events that match, until nobody reads them any more. @throws AppError `not_found` for an unknown email */
export async function exportEvents(
  { format = "jsonl", user, ...range }: Wanted,
  { print }: Terminal,
): Promise<undefined> {
  const id = user?.includes("@") ? (await findUser(user)).id : user;
  const parts = await exportAuditTrail({ ...operator, filter: { ...range, user: id }, format });
  for await (const part of parts) if (!(await print(part))) return;
}
