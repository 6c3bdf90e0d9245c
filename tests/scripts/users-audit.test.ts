import { sql } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { sealAuditTrail } from "#lib/access/audit/seal-trail.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents } from "#lib/db/schema.ts";
import { addUser, signIn } from "../access/people.ts";
import { useDatabase } from "../database.ts";
import { runHere } from "./users-command.ts";

useDatabase();
beforeEach(() => void vi.stubEnv("SERVICE_AUTH_ENABLED", ""));

it("npm run users exports the audit trail as JSON lines and CSV, and records that", async () => {
  const ada = await addUser("ada");
  await signIn(await addUser("bob"));
  const lines = (await runHere(["audit", "--format", "jsonl"])).output.split("\n");
  expect(lines.pop()).toBe("");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { action: "user.created", subject: { id: ada.id } },
    { action: "user.created" },
    { action: "login", actor: { email: "bob@example.com" } },
    { action: "audit.exported", actor: { kind: "operator" }, detail: { format: "jsonl" } },
  ]);
  for (const user of ["Bob@example.com", ada.id]) {
    const { output } = await runHere(["audit", "--format", "csv", "--user", user, "--since", "2026-01-01"]);
    expect(
      output
        .split("\r\n")
        .slice(1)
        .map((row) => row.split(",")[8]),
    ).toEqual(
      user === ada.id ? ['"ada@example.com"', undefined] : ['"bob@example.com"', '"bob@example.com"', undefined],
    );
  }
  const nobody = await runHere(["audit", "--format", "csv", "--user", "nobody@example.com"]);
  expect(nobody).toMatchObject({ code: 1, output: "", complaint: expect.stringContaining("no such user") });
  const wrong = await runHere(["audit", "--format", "xml", "--since", "today"]);
  expect(wrong).toMatchObject({ code: 2, complaint: expect.stringMatching(/^format: .*\nsince: Got no date/) });
});

it("npm run users verifies the audit trail, prints the head of its seals, and exits with 1 for a changed one", async () => {
  expect((await runHere(["audit", "--verify"])).output).toBe("OK: no entries are sealed.\nNot sealed yet: 0 entries.");
  await addUser("ada");
  await query((db) => db.update(auditEvents).set({ at: sql`now() - interval '1 hour'` }));
  await sealAuditTrail();
  await addUser("bob");
  const { code, output } = await runHere(["audit", "--verify"]);
  expect(code).toBe(0);
  expect(output).toMatch(
    /^OK: 1 batch with 1 entry, from .*Z to .*Z, as they were sealed\.\nNot sealed yet: 1 entry\.\n/,
  );
  const [, hash = ""] = /^Head: ([0-9a-f]{64}) \(batch 1, sealed .*Z\)$/m.exec(output) ?? [];
  const json = await runHere(["audit", "--verify", "--expect", hash.toUpperCase(), "--json"]);
  expect(JSON.parse(json.output)).toMatchObject({ sealed: { rows: 1 }, unsealed: 1, head: { hash, sequence: 1 } });
  const missing = await runHere(["audit", "--verify", "--expect", "0".repeat(64)]);
  expect(missing).toMatchObject({ code: 1, output: "", complaint: expect.stringContaining("expected hash") });
  await query((db) => db.delete(auditEvents).where(sql`target_name = 'ada@example.com'`));
  const tampered = await runHere(["audit", "--verify"]);
  expect(tampered).toMatchObject({ code: 1, output: "" });
  expect(tampered.complaint).toMatch(/^Entries were removed from batch 1 \(.*\): got 0, want 1\.$/);
});
