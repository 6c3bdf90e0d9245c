import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { endOwnSession } from "#lib/access/own-sessions.ts";
import { createToken } from "#lib/access/tokens.ts";
import { updateUser } from "#lib/access/users.ts";
import { query } from "#lib/db/database.ts";
import { auditEvents } from "#lib/db/schema.ts";
import { addToken, addUser, CALLER, NOBODY, OPERATOR, signIn } from "../../access/people.ts";
import { statementsOf } from "../../access/statements.ts";
import { captureLog } from "../../captured-log.ts";
import { useDatabase } from "../../database.ts";
import { errorOf, expectSafeHeaders } from "../../http/requests.ts";
import { send } from "../client.ts";

// Several pages without thousands of events.
vi.mock("#lib/access/access-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/access/access-limits.ts")>();
  return { ...limits, ARGON2: { ...limits.ARGON2, memoryCost: 64 }, AUDIT_EXPORT_ROWS: 10 };
});

useDatabase();

type Line = { id: string; at: string; action: string; actor: { email: string } | null; detail: object | null };

async function administrator() {
  const { secret, actor } = await signIn(await addUser("root", "admin"));
  const get = (queryString = "", headers: Record<string, string> = {}) =>
    send("GET", `audit/export${queryString}`, { session: secret, headers });
  const lines = async (queryString = ""): Promise<Line[]> => {
    const text = await (await get(queryString)).text();
    expect(text.endsWith("\n")).toBe(true);
    return text
      .slice(0, -1)
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
  };
  return { session: secret, actor, get, lines };
}

/** Adds one event for each time, with an id of that time. */
async function addEventsAt(...times: string[]): Promise<void> {
  for (const time of times) {
    const hex = Date.parse(time).toString(16).padStart(12, "0");
    const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`;
    await query((db) =>
      db.execute(
        sql`insert into audit_events (id, at, act, request_id) values (${id}::uuid, ${time}, 'login', ${time})`,
      ),
    );
  }
}

/**
 * The cells of a line in a spreadsheet that separates them by semicolons, as in most of Europe. Quotation marks count only at the
 * beginning of a cell.
 */
function cellsBySemicolon(line: string): string[] {
  return [...line.matchAll(/(?:"((?:[^"]|"")*)")?([^;]*)(?:;|$)/g)].map(([, quoted = "", rest = ""]) => quoted + rest);
}

describe("the export of the audit trail", () => {
  it("has every entry once, oldest first, and ends with itself, however many pages are read", async () => {
    const { session, lines, actor } = await administrator();
    await query((db) =>
      db.execute(sql`
        insert into audit_events (id, act) select ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'logout'
        from generate_series(1, 35) as n`),
    );
    const exported = await lines();
    const listed: Line[] = await send("GET", "audit?limit=200", { session })
      .then((response) => response.json())
      .then((page) => (page as { entries: Line[] }).entries);
    expect(exported.length).toBe(38);
    expect(exported).toEqual(listed.toReversed());
    expect(exported.at(-1)).toMatchObject({
      action: "audit.exported",
      actor: { kind: "user", id: actor.user.id, email: "root@example.com" },
      detail: { format: "jsonl" },
    });
  });

  it("is a file that no cache keeps, in the format that is asked for or preferred", async () => {
    const { get } = await administrator();
    const typeOf = async (queryString: string, accept: string) => {
      const response = await get(queryString, { accept });
      expectSafeHeaders(response);
      expect(response.status).toBe(200);
      expect(response.headers.get("vary")).toBe(queryString === "" ? "Accept" : null);
      const name = /^attachment; filename="platen-audit-\d{8}T\d{6}Z\.(\w+)"$/;
      const [, ending] = name.exec(response.headers.get("content-disposition") ?? "") ?? [];
      await response.body?.cancel();
      return `${response.headers.get("content-type")} ${ending}`;
    };
    const [csv, jsonl] = ["text/csv; charset=utf-8 csv", "application/jsonl; charset=utf-8 jsonl"];
    expect(await typeOf("", "*/*")).toBe(jsonl);
    expect(await typeOf("", "text/csv")).toBe(csv);
    expect(await typeOf("", "text/html, text/*;q=0.9, */*;q=0.8")).toBe(csv);
    expect(await typeOf("", "text/csv;q=0.5, application/jsonl")).toBe(jsonl);
    expect(await typeOf("", "text/csv;q=0, image/png")).toBe(jsonl);
    expect(await typeOf("?format=jsonl", "text/csv")).toBe(jsonl);
    expect(await typeOf("?format=csv", "application/jsonl")).toBe(csv);
  });

  it("is CSV in which no cell is a formula", async () => {
    const { get } = await administrator();
    const values = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", 'say "hi", =1\r\n;=2', "'=1", ""];
    const id = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, "0")}`;
    const detail = { "=a": 'b"c' };
    const rowOf = (targetName: string, n: number) =>
      ({ id: id(n), act: "logout", targetType: "token", targetName, detail }) as const;
    await query((db) => db.insert(auditEvents).values(values.map(rowOf)));
    const text = await (await get("?format=csv&action=logout")).text();
    const rows = [...text.matchAll(/(?:(?:"(?:[^"]|"")*")?(?:,|\r\n))+?(?<=\r\n)/g)].map(([row]) => row);
    expect(rows.join("")).toBe(text);
    expect(rows[0]).toBe(
      '"id","at","action","actor_kind","actor_id","actor_email","subject_type","subject_id","subject_name","address","detail","request_id"\r\n',
    );
    const nameOf = (row: string) =>
      [...row.matchAll(/(?:"((?:[^"]|"")*)")?(?:,|\r\n)/g)][8]?.[1]?.replaceAll('""', '"');
    const guarded = values.map((value, n) => (n < 8 ? `'${value}` : value.replace(";=", ";'=")));
    expect(rows.slice(1).map(nameOf)).toEqual(guarded);
    expect(rows[1]).toMatch(/^"01890000-0000-7000-8000-000000000000",".*Z","logout",,,,"token",,"'=1\+1",,"\{""=a"":/);
  });

  it("is CSV in which no cell is a formula where a spreadsheet separates cells by semicolons", async () => {
    const { get, actor } = await administrator();
    const names = ["a;=1+1;b", 'a;"=1+1"', 'a";+1', "a;;@SUM(A1)", "a;-1;=2", "a;＝1", "a;b"];
    for (const name of names) await createToken({ actor, name, caller: CALLER });
    await updateUser({ actor: OPERATOR, id: actor.user.id, changes: { name: "a;=1+1" }, caller: CALLER });
    const text = await (await get("?format=csv")).text();
    const cells = text.split("\r\n").flatMap(cellsBySemicolon);
    expect(cells.filter((cell) => /^[=+\-@\uff1d]/.test(cell))).toEqual([]);
    const beginnings = cells.map((cell) => cell.slice(0, 3));
    expect(beginnings).toEqual(expect.arrayContaining(["'=1", "'+1", "'@S", "'-1", "'=2", "'＝1"]));
  });

  it("can be limited to a range of time, an action and a user", async () => {
    const { lines, session, actor } = await administrator();
    const times = [
      "2026-01-31T23:59:59.999Z",
      "2026-02-01T00:00:00.000Z",
      "2026-02-02T23:59:59.999Z",
      "2026-02-03T00:00:00.000Z",
    ];
    await addEventsAt(...times);
    const timesOf = async (queryString: string) => (await lines(queryString)).map(({ at }) => at);
    expect(await timesOf("?since=2026-02-01&until=2026-02-02")).toEqual(times.slice(1, 3));
    expect(await timesOf("?until=2026-01-31")).toEqual(times.slice(0, 1));
    expect(await timesOf("?since=2026-02-01T01:00:00%2B01:00&until=2026-02-03T00:00:00Z")).toEqual(times.slice(1, 3));
    expect(await timesOf("?until=2026-02-03T00:00:00.001Z")).toEqual(times);
    const listed = await send("GET", "audit?since=2026-02-01&until=2026-02-02&limit=1", { session });
    expect(await listed.json()).toMatchObject({ entries: [{ at: times[2] }], next: expect.any(String) });
    const ada = await addUser("ada");
    await updateUser({ actor: OPERATOR, id: ada.id, changes: { name: "X" }, caller: CALLER });
    const about = await lines(`?user=${ada.id}&action=user.updated`);
    expect(about.map(({ action }) => action)).toEqual(["user.updated"]);
    expect((await lines(`?action=audit.exported&user=${actor.user.id}`)).at(-2)?.detail).toEqual({
      format: "jsonl",
      user: ada.id,
      action: "user.updated",
    });
  });

  it.each([
    ["?format=xml", "/format"],
    ["?since=yesterday", "/since"],
    ["?since=2026-02-30", "/since"],
    ["?until=0000-01-01", "/until"],
    ["?until=9999-12-31", "/until"],
    ["?until=", "/until"],
    ["?limit=5", "/limit"],
    ["?action=no.such", "/action"],
    ["?user=ada@example.com", "/user"],
  ])("refuses %s with the reason, and records nothing", async (queryString, path) => {
    const { get, lines } = await administrator();
    const error = await errorOf(await get(queryString));
    expect([error.code, error.issues?.map((issue) => issue.path)]).toEqual(["invalid_request", [path]]);
    expect(await lines("?action=audit.exported")).toHaveLength(1);
  });

  it("is for administrators with a session only, and a refused one or a HEAD is not recorded", async () => {
    const { session, lines, actor } = await administrator();
    const user = await signIn(await addUser("ada"));
    const { token } = await addToken(actor);
    expect((await errorOf(await send("GET", "audit/export", {}))).code).toBe("unauthorized");
    expect((await errorOf(await send("GET", "audit/export", { token }))).code).toBe("unauthorized");
    expect((await errorOf(await send("GET", "audit/export", { session: user.secret }))).code).toBe("forbidden");
    const head = await send("HEAD", "audit/export?format=csv", { session });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(await lines("?action=audit.exported")).toHaveLength(1);
  });

  it("breaks off when the session of the administrator ends meanwhile", async () => {
    const { get, actor } = await administrator();
    await query((db) =>
      db.execute(sql`
        insert into audit_events (id, act) select ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'logout'
        from generate_series(1, 30) as n`),
    );
    const reader = (await get()).body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await endOwnSession({ actor, id: actor.sessionId, caller: CALLER });
    const lines = captureLog();
    await expect(reader?.read()).rejects.toMatchObject({ name: "AbortError" });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { code: "unauthorized", msg: "a response broke off" },
    ]);
  });

  it("reads no page before the client does, and none after it has gone", async () => {
    const { get } = await administrator();
    const statements = await statementsOf(async () => {
      const response = await get();
      await response.body?.cancel();
    });
    expect(statements.filter(({ text }) => /^insert into "audit_events"/.test(text))).toHaveLength(1);
    expect(statements.filter(({ text }) => /^select .* from "audit_events"/.test(text))).toEqual([]);
  });

  it("of no entries is empty, and as CSV has only the names of the columns", async () => {
    const { get } = await administrator();
    expect(await (await get(`?user=${NOBODY}`)).text()).toBe("");
    expect((await (await get(`?user=${NOBODY}&format=csv`)).text()).split("\r\n")).toHaveLength(2);
  });
});
