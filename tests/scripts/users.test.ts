import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { logIn } from "#lib/access/login.ts";
import { findSession } from "#lib/access/sessions.ts";
import { query } from "#lib/db/database.ts";
import { isServed } from "#lib/db/embedded/folder-lock.ts";
import { users } from "#lib/db/schema.ts";
import { copyEmptyDatabase } from "#tests/empty-database.ts";
import { addToken, addUser, CALLER, expectRefusal, PASSWORD, signIn, tokenState } from "../access/people.ts";
import { useDatabase } from "../database.ts";
import { run, runHere, THROUGH_NPM } from "./users-command.ts";

useDatabase();
beforeEach(() => void vi.stubEnv("SERVICE_AUTH_ENABLED", ""));

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
    expect([await findSession(secret), await tokenState(token)]).toEqual([undefined, "unknown"]);
    expect(await runHere(["reactivate", ada.email])).toMatchObject({ code: 0 });
    expect(await tokenState(token)).toBe("valid");
    expect(await runHere(["delete", ada.email])).toMatchObject({
      code: 2,
      complaint: expect.stringContaining("--yes"),
    });
    expect(await tokenState(token)).toBe("valid");
    expect(await runHere(["delete", ada.email, "--yes"])).toMatchObject({ code: 0 });
    expect(await tokenState(token)).toBe("unknown");
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
    expect([await tokenState(first.token), await tokenState(second.token)]).toEqual(["revoked", "revoked"]);
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

  it("opens the embedded database when no server runs", async () => {
    const dir = mkdtempSync(join(tmpdir(), "platen-users-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const environment = { DATABASE_URL: "", SERVICE_DATABASE_DIR: await copyEmptyDatabase(dir) };
    const created = await run(["create", "root@example.com"], { input: PASSWORD, environment });
    expect(created).toMatchObject({ code: 0, output: "Created root@example.com, a user.\n" });
    const listed = await run(["list", "--json"], { environment });
    expect(JSON.parse(listed.output)).toMatchObject([{ email: "root@example.com" }]);
  });

  it("opens the embedded database while another command that has opened it ends", async () => {
    const dir = mkdtempSync(join(tmpdir(), "platen-users-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const environment = { DATABASE_URL: "", SERVICE_DATABASE_DIR: await copyEmptyDatabase(dir) };
    const first = run(["create", "root@example.com"], { input: PASSWORD, environment });
    await expect.poll(() => isServed(environment.SERVICE_DATABASE_DIR), { timeout: 60_000, interval: 20 }).toBe(true);
    const others = [1, 2, 3].map(() => run(["list", "--json"], { environment }));
    for (const { code, complaints } of await Promise.all([first, ...others]))
      expect({ code, complaints }).toEqual({ code: 0, complaints: expect.not.stringContaining("cannot reach") });
  });

  it("explains in one line why the database does not answer, and what to do", async () => {
    const environment = { DATABASE_URL: "postgres://platen:hidden@127.0.0.1:1/platen", SERVICE_LOG_LEVEL: "silent" };
    const { code, output, complaints } = await run(["list"], { environment });
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(complaints).toMatch(
      /^The database cannot be reached: nothing listens there [^\n]*Check DATABASE_URL[^\n]*\n$/,
    );
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
    [["create", "not-an-email"], "email"],
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
