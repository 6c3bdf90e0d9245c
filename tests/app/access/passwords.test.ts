import { describe, expect, it } from "vitest";
import { addUser, PASSWORD } from "../../access/people.ts";
import { statementsOf } from "../../access/statements.ts";
import { useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { send } from "../client.ts";
import { ADA, accountStatus, logIn, secretOf } from "./login.ts";

useDatabase();

describe("a password", () => {
  it.each([
    ["of 12 characters", "x".repeat(12)],
    ["of 256 letters", "x".repeat(256)],
    ["of 256 emoji", "😀".repeat(256)],
    ["of blanks around and inside", `   ${"\t\n ".repeat(10)}  `],
    ["in Arabic", "كلمة المرور الطويلة جدا"],
    ["of combining marks", "e\u0301".repeat(100)],
  ])("%s works in full, and no part of it does", async (_name, password) => {
    const admin = await addUser("admin", "admin");
    const session = await secretOf(await logIn({ email: admin.email, password: PASSWORD }));
    const user = { email: "new@example.com", name: "New", password };
    expect((await send("POST", "users", { session, json: user })).status).toBe(201);
    const attempt = async (text: string) => (await logIn({ email: user.email, password: text })).status;
    expect(await attempt(password)).toBe(200);
    const { length } = password;
    for (const other of [password.slice(0, length - 2), `${password.slice(0, length - 2)}-`, password.trim()]) {
      if (other !== password && other !== "") expect(await attempt(other)).toBe(401);
    }
  });

  it.each([
    ["11 characters", "x".repeat(11)],
    ["257 characters", "x".repeat(257)],
    ["257 emoji", "😀".repeat(257)],
    ["nothing", ""],
    ["null", null],
    ["a number", 123_456_789_012],
    ["an array", ["x".repeat(12)]],
  ])("cannot be set to %s", async (_name, password) => {
    const admin = await addUser("admin", "admin");
    const session = await secretOf(await logIn({ email: admin.email, password: PASSWORD }));
    const bodies: [string, unknown][] = [
      ["users", { email: "new@example.com", name: "New", password }],
      [`users/${admin.id}/password`, { password }],
      ["account/password", { currentPassword: PASSWORD, newPassword: password }],
    ];
    for (const [path, json] of bodies) {
      const error = await errorOf(await send("POST", path, { session, json }));
      expect(error.code).toBe("invalid_request");
      expect(error.issues?.[0]?.path).toMatch(/^\/(?:newPassword|password)$/);
      expect(JSON.stringify(error)).not.toContain("xxx");
    }
    expect(await accountStatus(session)).toBe(200);
  });

  it("that is too long is refused at a login before any query or hash", async () => {
    await addUser("ada");
    const refusals: [string, number][] = [
      ["invalid_request", 257],
      ["invalid_request", 65_000],
      ["payload_too_large", 1_000_000],
    ];
    for (const [code, length] of refusals) {
      const statements = await statementsOf(async () => {
        expect((await errorOf(await logIn({ ...ADA, password: "x".repeat(length) }))).code).toBe(code);
      });
      expect(statements).toEqual([]);
    }
  });
});
