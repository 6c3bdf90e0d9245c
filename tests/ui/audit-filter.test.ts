import { describe, expect, it } from "vitest";
import { AuditExportQuery } from "#lib/schemas/audit.ts";
import { auditHref, exportHref, readFilter } from "../../app/(access)/audit/filter.ts";

const ID = "0199f000-0000-7000-8000-000000000000";

describe("the filter of the audit page", () => {
  it("is read from an address and written to it again", () => {
    const given = { action: "login", user: ID, since: "2026-02-01", until: "2026-02-28", before: ID };
    const filter = readFilter(given);
    expect(filter).toEqual({ ...given, after: "" });
    expect(auditHref(filter)).toBe(`/audit?${new URLSearchParams(given)}`);
    expect(auditHref(readFilter({}))).toBe("/audit");
  });

  it.each(["2026-02-30", "2026-02-01T10:00:00Z", "yesterday", "1234-01-01", ["2026-02-01", "2026-02-02"], undefined])(
    "has no day %j",
    (text) => {
      expect(readFilter({ since: text, until: text })).toMatchObject({ since: "", until: "" });
    },
  );

  it("leads to the export of all of its entries, whatever page is shown", () => {
    const filter = readFilter({ user: ID, since: "2026-02-01", before: ID });
    const [path, query] = exportHref("csv", filter).split("?");
    expect(path).toBe("/api/service/audit/export");
    const parsed = AuditExportQuery.parse(Object.fromEntries(new URLSearchParams(query)));
    expect(parsed).toEqual({ format: "csv", user: ID, since: new Date("2026-02-01T00:00:00Z") });
  });
});
