import { describe, expect, it } from "vitest";
import { ACTS } from "#lib/schemas/audit.ts";
import { detailTerm, type Entry, sentenceOf } from "../../app/(access)/audit/sentence.ts";

const ADA = { kind: "user", id: "1", email: "ada@example.com" } as const;
const GRACE = { type: "user", id: "2", name: "grace@example.com" } as const;

function entry(part: Partial<Entry>): Entry {
  const rest = { id: "0", at: "2026-03-01T17:20:09.000Z", address: null, requestId: null };
  return { ...rest, action: "login", actor: ADA, subject: GRACE, detail: null, ...part };
}

const say = (part: Partial<Entry>) =>
  sentenceOf(entry(part))
    .map((piece) => (typeof piece === "string" ? piece : `[${piece.name}]`))
    .join("");

describe("the sentence of an audit entry", () => {
  it.each<[string, Partial<Entry>]>([
    ["[ada@example.com] signed in", { action: "login" }],
    ["Someone failed to sign in as [grace@example.com]", { action: "login.failed", actor: null }],
    ["Someone failed to sign in with an unknown email", { action: "login.failed", actor: null, subject: null }],
    [
      "[ada@example.com] ended their session on [Firefox on Linux]",
      { action: "session.ended", subject: { type: "session", id: "3", name: "Firefox on Linux" } },
    ],
    [
      "[ada@example.com] confirmed their login on [curl]",
      { action: "login.confirmed", subject: { type: "session", id: "3", name: "curl" } },
    ],
    ["[ada@example.com] confirmed all logins from unknown browsers", { action: "login.confirmed" }],
    [
      "[ada@example.com] signed out an unknown browser, [curl]",
      { action: "login.disowned", subject: { type: "session", id: "3", name: "curl" } },
    ],
    [
      "[ada@example.com] changed the name of their own account to [Ada L.]",
      { action: "account.updated", detail: { name: "Ada L." } },
    ],
    ["[ada@example.com] set a new password for [grace@example.com]", { action: "password.set" }],
    ["[ada@example.com] ended the limits on the logins of [grace@example.com]", { action: "user.unlocked" }],
    ["[ada@example.com] created [grace@example.com], a user", { action: "user.created", detail: { role: "user" } }],
    [
      "The operator created [grace@example.com], an administrator",
      { action: "user.created", actor: { kind: "operator", id: null, email: null }, detail: { role: "admin" } },
    ],
    [
      "[ada@example.com] changed the name of [grace@example.com] to [G], changed the email of [grace@example.com] to [g@x.org] and made [grace@example.com] an ordinary user",
      { action: "user.updated", detail: { name: "G", email: "g@x.org", role: "user" } },
    ],
    [
      "[ada@example.com] deactivated [grace@example.com]",
      { action: "user.updated", detail: { status: "deactivated" } },
    ],
    ["[ada@example.com] reactivated [grace@example.com]", { action: "user.updated", detail: { status: "active" } }],
    [
      "[ada@example.com] revoked the token [Deploys]",
      { action: "token.revoked", subject: { type: "token", id: "4", name: "Deploys" } },
    ],
    [
      "[ada@example.com] exported the audit trail",
      { action: "audit.exported", subject: null, detail: { format: "csv", user: "2" } },
    ],
    ["The first administrator, [grace@example.com], was created at the first start", { action: "admin.bootstrapped" }],
  ])("is %j", (expected, part) => {
    expect(say(part)).toBe(expected);
  });

  it("is complete for every action, also when data is missing", () => {
    for (const action of [...ACTS, "constructor", "something.newer"]) {
      for (const part of [{}, { actor: null }, { subject: null }, { detail: { role: "admin" } }]) {
        expect(say({ action, ...part }), action).toMatch(/^\S.*\S$/);
        expect(say({ action, ...part }), action).not.toMatch(/undefined|null| {2}|\[\]/);
      }
    }
  });
});

it("names the details of an entry, also those of future actions", () => {
  expect(["role", "constructor", "sessions"].map(detailTerm)).toEqual([
    "New role",
    "New constructor",
    "Sessions ended",
  ]);
});
