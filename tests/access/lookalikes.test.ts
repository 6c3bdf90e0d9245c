import { sql } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, it } from "vitest";
import { logIn } from "#lib/access/login.ts";
import { query } from "#lib/db/database.ts";
import { readMigrations } from "#lib/db/migrations.ts";
import { users } from "#lib/db/schema.ts";
import { email, personName } from "#lib/schemas/user.ts";
import { useDatabase } from "../database.ts";
import { addUser, CALLER, listUsers, PASSWORD } from "./people.ts";

useDatabase();

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
    const statements = readMigrations().find(({ statements }) => statements.some((text) => text.includes("NFC")));
    for (const statement of statements?.statements ?? []) await query((db) => db.execute(sql.raw(statement)));
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
    const values = (status: "active" | "deactivated", text: string) => ({
      ...{ id: uuidv7(), email: text, name: "x", passwordHash: "x", status },
    });
    // Both become ệ: the marks stand in another order.
    const [one, two] = [values("deactivated", "e\u0302\u0323@x.com"), values("active", "e\u0323\u0302@x.com")];
    await query((db) => db.insert(users).values([one, two]));
    const migration = readMigrations().find(({ statements }) => statements.some((text) => text.includes("NFC")));
    for (const statement of migration?.statements ?? []) await query((db) => db.execute(sql.raw(statement)));
    const found = await listUsers();
    expect(found.find(({ id }) => id === two.id)?.email).toBe("\u1ec7@x.com");
    expect(found.find(({ id }) => id === one.id)?.email).toBe(one.email);
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
});
