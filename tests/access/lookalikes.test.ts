import { sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, it } from "vitest";
import { logIn } from "#lib/access/login.ts";
import { query } from "#lib/db/database.ts";
import { readMigrations } from "#lib/db/migrations.ts";
import { users } from "#lib/db/schema.ts";
import { comparableEmail, email, personName } from "#lib/schemas/user.ts";
import { useDatabase } from "../database.ts";
import { addUser, CALLER, listUsers, PASSWORD } from "./people.ts";

useDatabase();

/** Runs a migration again, on the rows that a test has stored. */
async function migrateAgain(form: "NFC" | "NFKC"): Promise<void> {
  const migration = readMigrations().find(({ statements }) => statements.some((text) => text.includes(`, ${form})`)));
  for (const statement of migration?.statements ?? expect.fail(`no migration to ${form}`))
    await query((db) => db.execute(sql.raw(statement)));
}

type Account = { email: string; status?: "active" | "deactivated"; role?: "user" | "admin" };

/** Stores accounts past the schema. @returns their ids */
async function store(accounts: Account[]): Promise<string[]> {
  const rows = accounts.map((account) => ({ ...account, id: uuidv7(), name: "x", passwordHash: "x" }));
  await query((db) => db.insert(users).values(rows));
  return rows.map(({ id }) => id);
}

const ONE = "andr\u00e9@example.com";
const TWO = "andre\u0301@example.com";

describe("an email", () => {
  it.each([TWO, "ANDRE\u0301@EXAMPLE.COM", " ANDR\u00c9@example.com "])(
    "%j is the one that looks the same",
    (typed) => {
      expect(email.parse(typed)).toBe(ONE);
    },
  );

  it.each(["ada\u200b", "ada\u034f", "ada\ufe0f", "\u3164ada", "a\u00adda", "ada\u2800"])(
    "%j has no unseen characters",
    (local) => {
      expect(email.safeParse(`${local}@example.com`).success).toBe(false);
    },
  );

  it("that was stored as two characters is one after the migration, and still signs in", async () => {
    const { id } = await addUser("andre");
    const rename = (to: string, at: string) =>
      query((db) => db.execute(sql`update users set email = ${to} where id = ${at}::uuid`));
    await rename(TWO, id);
    const second = await addUser("zoe");
    await rename("zoe\u0308@example.com", second.id);
    const third = await addUser("zoé");
    await rename("zo\u00eb@example.com", third.id);
    await migrateAgain("NFC");
    // Two accounts that look the same stay as they are, for an administrator to tell apart.
    expect((await listUsers()).map((user) => user.email)).toEqual([
      ONE,
      "zoe\u0308@example.com",
      "zo\u00eb@example.com",
    ]);
    const login = { email: email.parse(TWO), password: PASSWORD, caller: CALLER };
    expect((await logIn(login)).user.id).toBe(id);
  });

  it("is given to one of two accounts that the migration makes equal: the active one", async () => {
    // Both become ệ: the marks stand in another order.
    const emails = ["e\u0302\u0323@x.com", "e\u0323\u0302@x.com"] as const;
    const [one, two] = await store([{ email: emails[0], status: "deactivated" }, { email: emails[1] }]);
    await migrateAgain("NFC");
    const found = await listUsers();
    expect(found.find(({ id }) => id === two)?.email).toBe("\u1ec7@x.com");
    expect(found.find(({ id }) => id === one)?.email).toBe(emails[0]);
  });

  it.each([
    "ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ",
    "ＡＤＡ@example.com",
    "𝓪𝓭𝓪@example.com",
    "ⓐⓓⓐ@example.com",
    "ᵃᵈᵃ@ℰxample.com",
  ])("%j is the one of its plain letters", (typed) => {
    expect(email.parse(typed)).toBe("ada@example.com");
  });

  it.each(["⑴@example.com", "a﹫b@example.com", "a´b@example.com"])(
    "%j, which hides a character that no email has, is none",
    (typed) => {
      expect(email.safeParse(typed).success).toBe(false);
    },
  );

  it("that was stored in full width has plain letters after the migration, and still signs in", async () => {
    const { id } = await addUser("ada");
    await query((db) => db.execute(sql`update users set email = ${"ａｄａ@example.com"} where id = ${id}::uuid`));
    await migrateAgain("NFKC");
    const login = { email: email.parse("ａｄａ@example.com"), password: PASSWORD, caller: CALLER };
    expect((await logIn(login)).user).toMatchObject({ id, email: "ada@example.com" });
  });

  it("keeps its form in the migration where another account has the plain one, or where the plain one is none", async () => {
    const accounts: Account[] = [
      { email: "ada@x.com" },
      { email: "ａｄａ@x.com", role: "admin" },
      { email: "ｚｏｅ@x.com", status: "deactivated" },
      { email: "𝓏ｏｅ@x.com" },
      { email: "𝐳𝐨𝐞@x.com", role: "admin" },
      { email: "⑴@x.com" },
      { email: "bob@x．com" },
    ];
    const ids = await store(accounts);
    await migrateAgain("NFKC");
    await migrateAgain("NFKC");
    const found = new Map((await listUsers()).map((user) => [user.id, user.email]));
    const kept = accounts.map(({ email }) => email);
    expect(ids.map((id) => found.get(id))).toEqual([...kept.slice(0, 4), "zoe@x.com", "⑴@x.com", "bob@x.com"]);
  });

  it("compares with itself: the form of a form is the same", () => {
    const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
    const forms = characters.map((character) => comparableEmail(`a${character}b@example.com`));
    expect(forms.filter((form) => comparableEmail(form) !== form)).toEqual([]);
  });
});

describe("a name", () => {
  it.each([
    "Ada\u200bLovelace",
    "\u2060Ada",
    "Ada\u200e",
    "A\u200dda",
    "A\u0301\u200cda",
    "Ada\ufe0f",
    "A\u00adda",
    "\u3164",
    "\u2800",
    "Ada\u{e0041}",
    "\u202eadA",
  ])("%j is refused, because it looks like another one", (name) => {
    expect(personName.safeParse(name).success).toBe(false);
  });

  it.each([
    ...["Ada Lovelace", "José", "Jose\u0301", "علی\u200cرضا", "ශ්\u200dරී ලංකා", "क्\u200dष", "葛\u{e0100}城", "김철수"],
    ...[
      "👩\u200d👩\u200d👧",
      "❤\ufe0f\u200d🔥",
      "1\ufe0f\u20e3",
      "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
      "👩🏽\u200d🚀",
    ],
  ])("%s is one", (name) => {
    expect(personName.parse(name)).toBe(name);
  });

  it("has at most 30 marks on a letter", () => {
    const marks = (count: number) => `Ada${"\u0301".repeat(count)}`;
    expect(personName.safeParse(marks(30)).success).toBe(true);
    expect(personName.safeParse(marks(31)).error?.issues.map(({ message }) => message)).toEqual([
      "Got a letter with more than 30 combining marks, want at most 30.",
    ]);
  });
});
