import * as exports from "#lib/access/audit/export-trail.ts";
import * as audit from "#lib/access/audit-trail.ts";
import { administrator } from "#lib/http/identity/auth.ts";
import { streamedResponse } from "#lib/http/response/answer.ts";
import { preferredType } from "#lib/http/route/accept.ts";
import { operation } from "#lib/http/route/operation.ts";
import { partsInLine } from "#lib/http/route/whole-lists.ts";
import { AuditExportQuery, AuditPage, AuditQuery } from "#lib/schemas/audit.ts";
import { CONTENT_DISPOSITION } from "./headers.ts";
import { PATHS } from "./paths.ts";
import { MONITORING } from "./tags.ts";

export const readAuditTrail = operation({
  method: "GET",
  path: PATHS.audit,
  operationId: "readAuditTrail",
  summary: "Read the audit trail, newest first, a page at a time",
  tag: MONITORING,
  auth: administrator,
  query: AuditQuery,
  returns: AuditPage,
  handle: ({ query }) => audit.readAuditTrail(query),
});

const JSON_LINES = "application/jsonl";
const CSV = "text/csv";

/** Says when it was made, in characters that every file system takes: `platen-audit-20261122T093000Z.csv`. */
function fileName(format: exports.ExportFormat, now = new Date()): string {
  return `platen-audit-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.${format}`;
}

export const exportAuditTrail = operation({
  method: "GET",
  path: PATHS.auditExport,
  operationId: "exportAuditTrail",
  summary: "Export the audit trail, oldest first, as JSON lines or CSV",
  tag: MONITORING,
  auth: administrator,
  query: AuditExportQuery,
  contentType: [JSON_LINES, CSV],
  headers: { "Content-Disposition": CONTENT_DISPOSITION },
  success: "A line for each entry. A response that breaks off is not complete",
  handle: async ({ actor, query, caller, received, isHead, signal }) => {
    const { format: asked, ...filter } = query;
    const preferred = preferredType(received.headers.get("accept"), [JSON_LINES, CSV]);
    const format = asked ?? (preferred === CSV ? "csv" : "jsonl");
    const headers = {
      "Content-Type": `${format === "csv" ? CSV : JSON_LINES}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${fileName(format)}"`,
      ...(asked === undefined && { Vary: "Accept" }),
    };
    if (isHead) return new Response(null, { headers });
    const parts = await exports.exportAuditTrail({ actor, caller: caller(), filter, format });
    return streamedResponse({ parts: partsInLine(actor.user.id, signal, parts), headers });
  },
});
