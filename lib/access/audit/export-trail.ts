import { NIL } from "uuid";
import { transaction } from "#lib/db/database.ts";
import type { EXPORT_FORMATS } from "#lib/schemas/audit.ts";
import { AUDIT_EXPORT_ROWS } from "../access-limits.ts";
import type { Caller } from "../actor.ts";
import { type AuditEntry, type EventFilter, recordAct, selectEvents, toEntry } from "../audit-trail.ts";
import { type AdminActor, requireStillAdministrator } from "../transaction-guards.ts";
import { csvLine } from "./csv.ts";

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

type Encoding = { header: string; line: (entry: AuditEntry) => string };

const COLUMNS: Record<string, (entry: AuditEntry) => string | null> = {
  id: ({ id }) => id,
  at: ({ at }) => at.toISOString(),
  action: ({ action }) => action,
  actor_kind: ({ actor }) => actor?.kind ?? null,
  actor_id: ({ actor }) => actor?.id ?? null,
  actor_email: ({ actor }) => actor?.email ?? null,
  subject_type: ({ subject }) => subject?.type ?? null,
  subject_id: ({ subject }) => subject?.id ?? null,
  subject_name: ({ subject }) => subject?.name ?? null,
  address: ({ address }) => address,
  detail: ({ detail }) => detail && JSON.stringify(detail),
  request_id: ({ requestId }) => requestId,
};

const ENCODINGS: Record<ExportFormat, Encoding> = {
  jsonl: { header: "", line: (entry) => `${JSON.stringify(entry)}\n` },
  csv: {
    header: csvLine(Object.keys(COLUMNS)),
    line: (entry) => csvLine(Object.values(COLUMNS).map((read) => read(entry))),
  },
};

type Export = { actor: AdminActor; caller: Caller; filter: EventFilter; format: ExportFormat };

/** The filter as the audit trail records it. */
function detailOf({ filter, format }: Export): Record<string, string> {
  const { action, user, since, until } = filter;
  const given = { format, action, user, since: since?.toISOString(), until: until?.toISOString() };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Reads a page at a time, so that neither memory nor the time of a transaction depends on the number of events. */
async function* writePages({ actor, filter, format }: Export): AsyncGenerator<string, void> {
  const { header, line } = ENCODINGS[format];
  let after: string = NIL;
  for (let text = header; ; text = "") {
    const events = await transaction(async (tx) => {
      await requireStillAdministrator(tx, actor);
      return await selectEvents(tx, { ...filter, after, limit: AUDIT_EXPORT_ROWS });
    });
    for (const event of events) text += line(toEntry(event));
    if (text !== "") yield text;
    if (events.length < AUDIT_EXPORT_ROWS) return;
    after = events.at(-1)?.id ?? after;
  }
}

/**
 * Records an export, and writes the events that match, oldest first, as JSON lines or CSV. The export is one of them.
 * @returns the parts of the text. Reading them throws what this function throws, also when the actor's session ends meanwhile
 * @throws AppError `unauthorized`, `forbidden`, `unavailable`
 */
export async function exportAuditTrail(given: Export): Promise<AsyncGenerator<string, void>> {
  const { actor, caller } = given;
  await transaction(async (tx) => {
    await requireStillAdministrator(tx, actor);
    await recordAct(tx, { act: "audit.exported", actor, detail: detailOf(given), caller });
  });
  return writePages(given);
}
