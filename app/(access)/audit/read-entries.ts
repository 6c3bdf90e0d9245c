import { AuditPage } from "#lib/schemas/audit.ts";
import { GET as getAudit } from "../../api/service/audit/route.ts";
import { read } from "../../ui/read.ts";

const ENTRIES_PER_PAGE = 50;

type Wanted = { action: string; user: string; before?: string; after?: string; limit?: number };

/** An empty text is no choice. */
function ask({ limit = ENTRIES_PER_PAGE, ...wanted }: Wanted) {
  const given = Object.entries(wanted).filter(([, value]) => value !== "");
  return read(getAudit, { returns: AuditPage, query: { ...Object.fromEntries(given), limit: String(limit) } });
}

/**
 * One page. A page above another one that is not full is the newest, and then that is shown whole.
 * @returns `older` and `newer`: the entries that the pages beside this one begin below and end above, null where there is none
 */
export async function readEntries(wanted: Required<Omit<Wanted, "limit">>) {
  const { before, after, ...rest } = wanted;
  const asked = await ask(after === "" ? { ...rest, before } : { ...rest, after });
  const isNewest = after !== "" && asked.entries.length < ENTRIES_PER_PAGE;
  const { entries, next } = isNewest ? await ask(rest) : asked;
  const newest = entries[0];
  const isTurned = (before !== "" || after !== "") && !isNewest && newest;
  const newer = isTurned ? await ask({ ...rest, after: newest.id, limit: 1 }) : { entries: [] };
  return { entries, older: next, newer: newer.entries.length > 0 ? (newest?.id ?? "") : null };
}
