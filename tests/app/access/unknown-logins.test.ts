import { eq, sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { UNKNOWN_LOGINS_PER_USER } from "#lib/access/access-limits.ts";
import type { UserRecord } from "#lib/access/actor.ts";
import { deleteExpired } from "#lib/access/delete-expired.ts";
import { deleteUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { devices, unknownLogins } from "#lib/db/schema.ts";
import { listAuditEvents } from "../../access/audit-events.ts";
import { addUser, CALLER, NOBODY, OPERATOR, PASSWORD } from "../../access/people.ts";
import { useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { deviceOf, send, sessionOf } from "../client.ts";

useDatabase();

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

type Browser = { session: string; device: string };

/** Signs in. @param known the browser that signs in again; an unknown one when absent */
async function logIn({ email }: UserRecord, userAgent = "curl/8.5.0", known?: Browser): Promise<Browser> {
  const sent = { json: { email, password: PASSWORD }, headers: { "user-agent": userAgent }, device: known?.device };
  const response = await send("POST", "login", sent);
  return { session: sessionOf(response) ?? "", device: deviceOf(response) ?? "" };
}

type Shown = { id: string; device: string; signedIn: boolean; current: boolean };

async function shown({ session }: Browser): Promise<Shown[]> {
  return await (await send("GET", "account/unknown-logins", { session })).json();
}

const confirm = ({ session }: Browser, id = "") => send("DELETE", `account/unknown-logins/${id}`, { session });
const confirmAll = ({ session }: Browser) => send("DELETE", "account/unknown-logins", { session });
const disown = ({ session }: Browser, id = "") => send("DELETE", `account/unknown-logins/${id}/session`, { session });
const isAlive = async ({ session }: Browser) => (await send("GET", "account", { session })).status === 200;

describe("a login from an unknown browser", () => {
  it("is shown to every browser of the account with time, address and device, but not for the account's first login", async () => {
    const ada = await addUser("ada");
    const home = await logIn(ada);
    expect(await shown(home)).toEqual([]);
    const strange = await logIn(ada, FIREFOX);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const login = { id: expect.any(String), at, address: null, userAgent: FIREFOX, device: "Firefox on Linux" };
    expect(await shown(home)).toEqual([{ ...login, signedIn: true, current: false }]);
    expect(await shown(strange)).toEqual([{ ...login, signedIn: true, current: true }]);
    await send("POST", "logout", { session: strange.session, json: {} });
    expect(await shown(home)).toEqual([{ ...login, signedIn: false, current: false }]);
  });

  it("is none when the device cookie is known, and one when the cookie is another account's or has expired", async () => {
    const ada = await addUser("ada");
    const [home, bobs] = [await logIn(ada), await logIn(await addUser("bob"))];
    const again = await logIn(ada, FIREFOX, home);
    expect(await shown(again)).toEqual([]);
    await logIn(ada, "Borrowed/1", bobs);
    await query((db) => db.update(devices).set({ expiresAt: sql`now() - interval '1 second'` }));
    await logIn(ada, "Expired/1", home);
    expect((await shown(again)).map(({ device }) => device)).toEqual(["Expired", "Borrowed"]);
    expect(await shown(bobs)).toEqual([]);
  });

  it("is one when the account has signed in before and knows no browser any more", async () => {
    const ada = await addUser("ada");
    await logIn(ada);
    await query((db) => db.delete(devices));
    expect(await shown(await logIn(ada, FIREFOX))).toMatchObject([{ userAgent: FIREFOX, current: true }]);
  });

  it("is one when two browsers sign in for the first time at the same moment", async () => {
    const ada = await addUser("ada");
    const [one] = await Promise.all([logIn(ada), logIn(ada)]);
    expect(await shown(one)).toHaveLength(1);
  });

  it("is bounded per account: the newest are kept", async () => {
    const [ada, bob] = [await addUser("ada"), await addUser("bob")];
    const [home, bobs] = [await logIn(ada), await logIn(bob)];
    await logIn(bob);
    for (let at = 0; at < UNKNOWN_LOGINS_PER_USER + 3; at++) await logIn(ada, `Script${at}/1.0`);
    const names = (await shown(home)).map(({ device }) => device);
    expect([names.length, names[0], names.at(-1)]).toEqual([UNKNOWN_LOGINS_PER_USER, "Script22", "Script3"]);
    expect(await shown(bobs)).toHaveLength(1);
  });

  it("ends with its account, and after 90 days or with the audit trail", async () => {
    const [ada, bob] = [await addUser("ada"), await addUser("bob")];
    const [home] = [await logIn(ada), await logIn(ada), await logIn(bob), await logIn(bob)];
    await deleteUser({ actor: OPERATOR, id: bob.id, caller: CALLER });
    expect(await query((db) => db.$count(unknownLogins))).toBe(1);
    const age = (days: number) =>
      query((db) => db.update(unknownLogins).set({ at: sql`now() - ${days} * interval '1 day'` }));
    await age(89);
    await deleteExpired();
    expect(await shown(home)).toHaveLength(1);
    vi.stubEnv("SERVICE_AUDIT_DAYS", "88");
    await deleteExpired();
    expect(await shown(home)).toEqual([]);
    vi.stubEnv("SERVICE_AUDIT_DAYS", "400");
    await logIn(ada);
    await age(91);
    await deleteExpired();
    expect(await shown(home)).toEqual([]);
  });
});

describe("a confirmed login", () => {
  it("is shown no longer, and is in the audit trail with the device", async () => {
    const ada = await addUser("ada");
    const [home, strange] = [await logIn(ada), await logIn(ada, FIREFOX)];
    const [login] = await shown(home);
    const response = await confirm(home, login?.id);
    expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
    expect([await shown(home), await shown(strange), await isAlive(strange)]).toEqual([[], [], true]);
    const [event] = await listAuditEvents({ limit: 1 });
    expect(event).toMatchObject({ act: "login.confirmed", actorId: ada.id, targetName: "Firefox on Linux" });
    expect((await errorOf(await confirm(home, login?.id))).code).toBe("not_found");
  });

  it("stays listed for the other browsers when its own browser has confirmed it", async () => {
    const ada = await addUser("ada");
    const [home, strange] = [await logIn(ada), await logIn(ada, FIREFOX)];
    const [login] = await shown(strange);
    expect((await confirm(strange, login?.id)).status).toBe(200);
    expect((await errorOf(await confirm(strange, login?.id))).code).toBe("not_found");
    const again = await logIn(ada, FIREFOX, strange);
    expect([await shown(strange), await shown(again)]).toEqual([[], []]);
    expect(await shown(home)).toMatchObject([{ id: login?.id, current: false }]);
    expect((await confirm(home, login?.id)).status).toBe(200);
    expect(await query((db) => db.$count(unknownLogins))).toBe(0);
  });

  it("is confirmed with all others at once, which is one entry of the audit trail", async () => {
    const [ada, bob] = [await addUser("ada"), await addUser("bob")];
    const home = await logIn(ada);
    for (let more = 0; more < 3; more++) await logIn(ada);
    const bobs = [await logIn(bob), await logIn(bob)][0] as Browser;
    for (let twice = 0; twice < 2; twice++) expect((await confirmAll(home)).status).toBe(200);
    expect([(await shown(home)).length, (await shown(bobs)).length]).toEqual([0, 1]);
    const events = await listAuditEvents({ limit: 100 });
    const confirmed = events.filter(({ act }) => act === "login.confirmed");
    expect(confirmed).toMatchObject([{ targetId: ada.id, detail: { logins: "3" } }]);
  });
});

describe("a disowned login", () => {
  it("ends all sessions of its browser and no others, and makes it unknown again", async () => {
    const ada = await addUser("ada");
    const [home, strange, third] = [await logIn(ada), await logIn(ada, FIREFOX), await logIn(ada)];
    const again = await logIn(ada, FIREFOX, strange);
    const login = (await shown(home)).find(({ device }) => device === "Firefox on Linux");
    const response = await disown(home, login?.id);
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
    expect(await Promise.all([home, strange, again, third].map(isAlive))).toEqual([true, false, false, true]);
    expect((await shown(home)).find(({ id }) => id === login?.id)).toMatchObject({ signedIn: false });
    const [event] = await listAuditEvents({ limit: 1 });
    const detail = { sessions: "2" };
    expect(event).toMatchObject({ act: "login.disowned", targetName: "Firefox on Linux", detail });
    const back = await logIn(ada, FIREFOX, strange);
    expect(back.device).not.toBe(strange.device);
    expect((await shown(home)).filter(({ device }) => device === "Firefox on Linux")).toHaveLength(2);
  });

  it("is recorded once, however often its browser is signed out", async () => {
    const ada = await addUser("ada");
    const [home] = [await logIn(ada), await logIn(ada, FIREFOX)];
    const [login] = await shown(home);
    for (let count = 0; count < 5; count++) expect((await disown(home, login?.id)).status).toBe(200);
    const acts = (await listAuditEvents({ limit: 100 })).map(({ act }) => act);
    expect(acts.filter((act) => act === "login.disowned")).toHaveLength(1);
    expect(await shown(home)).toHaveLength(1);
  });

  it("clears the cookie when it is that of the request's own browser", async () => {
    const ada = await addUser("ada");
    const [, strange] = [await logIn(ada), await logIn(ada, FIREFOX)];
    const response = await disown(strange, (await shown(strange))[0]?.id);
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^service_session=; .*Max-Age=0/)]);
    expect(await isAlive(strange)).toBe(false);
  });
});

describe("an id that is not the account's", () => {
  it("answers as an unknown one, also to an administrator, and changes nothing", async () => {
    const ada = await addUser("ada");
    const [home] = [await logIn(ada), await logIn(ada)];
    const root = await logIn(await addUser("root", "admin"));
    const id = (await shown(home))[0]?.id;
    const answers = new Set<string>();
    for (const one of [id, NOBODY, "1", encodeURIComponent("' or true --"), "x".repeat(2_000)]) {
      for (const act of [confirm, disown]) {
        const { requestId: _, ...error } = await errorOf(await act(root, one));
        answers.add(JSON.stringify(error));
      }
    }
    expect(answers.size).toBe(1);
    expect([await shown(root), (await shown(home)).length]).toEqual([[], 1]);
    expect(await query((db) => db.$count(devices, eq(devices.userId, ada.id)))).toBe(2);
  });
});
