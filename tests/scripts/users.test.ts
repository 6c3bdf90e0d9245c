import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { sealAuditTrail } from "#lib/access/audit/seal-trail.ts";
import { logIn } from "#lib/access/login.ts";
import { findSession } from "#lib/access/sessions.ts";
import { findToken } from "#lib/access/tokens.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents, users } from "#lib/db/schema.ts";
import { explainFailure, runUsersCommand } from "#scripts/users/run.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";
import { addToken, addUser, CALLER, expectRefusal, PASSWORD, signIn } from "../access/people.ts";
import { useDatabase } from "../database.ts";
import { LONG_LIMITS } from "../db/program.ts";

useDatabase();
beforeEach(() => void vi.stubEnv("SERVICE_AUTH_ENABLED", ""));

type Run = { code: number | null; output: string; complaints: string };

const THROUGH_NPM = ["npm", "run", "--silent", "users", "--"];

/** The same without npm, which takes half of the time. */
const DIRECTLY = [process.execPath, "--import", "./scripts/guard.mjs", "--import", LONG_LIMITS, "scripts/users.ts"];

/** Runs the real command in open mode, where it also manages users. */
async function run(words: string[], { input = "", environment = {}, by = DIRECTLY } = {}): Promise<Run> {
  const env = { ...process.env, SERVICE_AUTH_ENABLED: "", SERVICE_LOG_LEVEL: "info", ...environment };
  const [command = "", ...first] = by;
  const child = spawn(command, [...first, ...words], { env });
  child.stdin.on("error", () => undefined).end(input);
  const [output, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { code, output, complaints };
}

/** Runs the same command in this process, which takes a hundredth of the time. */
async function runHere(args: string[], { input = "" } = {}): Promise<Omit<Run, "complaints"> & { complaint: string }> {
  let printed = "";
  const print = async (text: string) => {
    printed += text;
    return true;
  };
  const terminal = { input: Readable.from([Buffer.from(input)]), output: new PassThrough(), print };
  try {
    return { code: 0, output: (await runUsersCommand({ args, terminal })) ?? printed, complaint: "" };
  } catch (error) {
    const { text, exitCode } = explainFailure(error);
    return { code: exitCode, output: "", complaint: text };
  }
}

const logsIn = (email: string, password: string) => logIn({ email, password, caller: CALLER });

describe("npm run users", () => {
  it("creates the first administrator with a password from standard input, less one newline", async () => {
    const nobody = await runHere(["list"]);
    expect(nobody.output).toContain("npm run users -- create <email> --admin");
    const password = " with spaces around, and ünïcödé ";
    const created = await run(["create", " Root@Example.com", "--admin"], { input: `${password}\n`, by: THROUGH_NPM });
    expect(created).toEqual({ code: 0, output: "Created root@example.com, an administrator.\n", complaints: "" });
    const { user } = await logsIn("root@example.com", password);
    expect(user).toMatchObject({ name: "Root", role: "admin" });
    const audited = await runHere(["audit", "--json"]);
    expect(JSON.parse(audited.output)).toMatchObject([
      { action: "login", actor: { kind: "user", email: "root@example.com" } },
      {
        action: "user.created",
        actor: { kind: "operator" },
        subject: { type: "user", name: "root@example.com" },
        detail: { role: "admin" },
      },
    ]);
    expect((await runHere(["audit"])).output).toMatch(/ user\.created +operator +root@example\.com +role=admin/);
    expect(audited.output).not.toContain(password.trim());
  });

  it("sets a password and ends every session of that user", async () => {
    const ada = await addUser("ada");
    const { secret } = await signIn(ada);
    expect(await runHere(["set-password", ada.email], { input: "a password set anew\r\n" })).toMatchObject({ code: 0 });
    expect(await findSession(secret)).toBeUndefined();
    await expectRefusal(logsIn(ada.email, PASSWORD), "unauthorized");
    await logsIn(ada.email, "a password set anew");
  });

  it("ends the limits on a user's logins", async () => {
    const { email } = await addUser("ada");
    for (let i = 0; i < 10; i++) await expectRefusal(logsIn(email, "not the right password"), "unauthorized");
    await expectRefusal(logsIn(email, PASSWORD), "rate_limited");
    expect(await runHere(["unlock", email])).toMatchObject({ code: 0 });
    await logsIn(email, PASSWORD);
    expect(JSON.parse((await runHere(["audit", "--json"])).output)[1]).toMatchObject({ action: "user.unlocked" });
  });

  it("changes roles, deactivates, reactivates and deletes", async () => {
    const ada = await addUser("ada");
    await addUser("root", "admin");
    const { secret, actor } = await signIn(ada);
    const { token } = await addToken(actor);
    expect(await runHere(["set-role", ada.email, "admin"])).toMatchObject({ code: 0 });
    expect((await findSession(secret))?.user.role).toBe("admin");
    expect(await runHere(["deactivate", ada.email])).toMatchObject({ code: 0 });
    expect([await findSession(secret), await findToken(token)]).toEqual([undefined, undefined]);
    expect(await runHere(["reactivate", ada.email])).toMatchObject({ code: 0 });
    expect(await findToken(token)).toBeDefined();
    expect(await runHere(["delete", ada.email])).toMatchObject({
      code: 2,
      complaint: expect.stringContaining("--yes"),
    });
    expect(await findToken(token)).toBeDefined();
    expect(await runHere(["delete", ada.email, "--yes"])).toMatchObject({ code: 0 });
    expect(await findToken(token)).toBeUndefined();
  });

  it("shows tokens without their secrets, and revokes one by its id or the start of its secret", async () => {
    const ada = await addUser("ada");
    const { actor } = await signIn(ada);
    const [first, second] = [await addToken(actor), await addToken(actor)];
    const listed = await runHere(["tokens", ada.email, "--json"]);
    expect(JSON.parse(listed.output)).toMatchObject([{ id: second.id }, { id: first.id, revokedAt: null }]);
    for (const { token } of [first, second]) expect(listed.output).not.toContain(token.slice(12));
    expect(await runHere(["revoke", first.id])).toMatchObject({ code: 0 });
    expect(await runHere(["revoke", second.token.slice(0, 12)])).toMatchObject({ code: 0 });
    expect([await findToken(first.token), await findToken(second.token)]).toEqual([undefined, undefined]);
    expect(await runHere(["revoke", "svc_nothing0"])).toMatchObject({ code: 1, output: "" });
  });

  it("prints a table that no name can break, and JSON for programs", async () => {
    const ada = await addUser("ada", "admin");
    await query((db) => db.update(users).set({ name: "Ada\u001b[31m\r\nroot  admin\u202e" }));
    const { output } = await runHere(["list"]);
    const [heading = "", row = "", ...rest] = output.split("\n");
    expect(rest).toEqual([]);
    expect(heading.split(/ {2,}/)).toEqual(["EMAIL", "NAME", "ROLE", "STATUS", "LAST LOGIN", "CREATED"]);
    expect(row).toContain("Ada\ufffd[31m\ufffd\ufffdroot");
    expect(row.indexOf("active")).toBe(heading.indexOf("STATUS"));
    const [{ email, createdAt, ...others }] = JSON.parse((await runHere(["list", "--json"])).output);
    expect({ email, createdAt }).toEqual({ email: ada.email, createdAt: ada.createdAt.toISOString() });
    expect(Object.keys(others)).not.toContain("passwordHash");
  });

  it("exports the audit trail as JSON lines and CSV, and records that", async () => {
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
    expect(wrong).toMatchObject({ code: 1, complaint: expect.stringMatching(/^format: .*\nsince: Got no date/) });
  });

  it("verifies the audit trail, prints the head of its seals, and exits with 1 for a changed one", async () => {
    expect((await runHere(["audit", "--verify"])).output).toBe(
      "OK: no entries are sealed.\nNot sealed yet: 0 entries.",
    );
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

  it("opens the embedded database when no server runs", async () => {
    const dir = mkdtempSync(join(tmpdir(), "platen-users-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const environment = { DATABASE_URL: "", SERVICE_DATABASE_DIR: await copyEmptyDatabase(dir) };
    const created = await run(["create", "root@example.com"], { input: PASSWORD, environment });
    expect(created).toMatchObject({ code: 0, output: "Created root@example.com, a user.\n" });
    const listed = await run(["list", "--json"], { environment });
    expect(JSON.parse(listed.output)).toMatchObject([{ email: "root@example.com" }]);
  });

  it("explains in one sentence that the database does not answer", async () => {
    const environment = { DATABASE_URL: "postgres://platen:hidden@127.0.0.1:1/platen", SERVICE_LOG_LEVEL: "silent" };
    const { code, output, complaints } = await run(["list"], { environment });
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(complaints).toMatch(/^[^\n]*database[^\n]*\n$/);
    expect(complaints).not.toContain("hidden");
  });

  it("prints what is wrong with the arguments to standard error, and exits with 2", async () => {
    const { code, output, complaints } = await run(["lst"]);
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(complaints).toContain('Did you mean "list"?');
    expect(complaints).not.toMatch(/^\s+at /m);
  });

  it.each([
    [["create", "ada@example.com"], "want at least 12 characters", { input: "short\n" }],
    [["create", "ada@example.com"], "standard input is empty", {}],
    [["create", "not-an-email"], "email", { input: PASSWORD }],
    [["create", "root@example.com"], "Another user has this email", { input: PASSWORD }],
    [["set-role", "root@example.com", "user"], "last active administrator", {}],
    [["deactivate", "root@example.com"], "last active administrator", {}],
    [["delete", "root@example.com", "--yes"], "last active administrator", {}],
    [["deactivate", "nobody@example.com"], "no such user", {}],
    [["revoke", "' or true --"], "no such token", {}],
  ])("explains in one sentence why it refuses %j", async (words, reason, options) => {
    await addUser("root", "admin");
    const { code, output, complaint } = await runHere(words, options);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(complaint).toContain(reason);
    expect(complaint.trim().split("\n")).toHaveLength(1);
    expect(await query((db) => db.$count(users))).toBe(1);
  });

  it.each([
    [[], "npm run users -- create <email>"],
    [["lst"], 'Did you mean "list"?'],
    [["create"], "npm run users -- create <email>"],
    [["list", "--frob"], "--frob"],
    [["list", "--admin"], "--admin"],
    [["audit", "--limit", "many"], "1 to 100000"],
    [["audit", "--verify", "--limit", "5"], "leave --limit out"],
    [["audit", "--format", "csv", "--limit", "5"], "leave --limit out"],
    [["audit", "--user", "ada@example.com"], "--user needs --format"],
    [["audit", "--expect", "0".repeat(64)], "--expect needs --verify"],
    [["audit", "--verify", "--expect", "abc"], "64 hexadecimal digits"],
    [["set-role", "root@example.com", "king"], 'want "user" or "admin"'],
    [["create", "ada@example.com", "--password", PASSWORD], "every process of the machine can read it"],
    [["create", "ada@example.com", `--password=${PASSWORD}`], "every process of the machine can read it"],
  ])("explains the mistake in %j", async (words, hint) => {
    const { code, output, complaint } = await runHere(words);
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(complaint).toContain(hint);
  });
});
