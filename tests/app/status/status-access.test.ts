import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { query } from "#lib/db/database.ts";
import { call } from "#lib/http/route/call.ts";
import { runInRequestContext } from "#lib/http/server/request-context.ts";
import { StatusReport } from "#lib/schemas/status-report.ts";
import { GET } from "../../../app/api/service/status/route.ts";
import { addUser, signIn } from "../../access/people.ts";
import { useDatabase } from "../../database.ts";
import { errorOf } from "../../http/requests.ts";
import { useRendering } from "../../render/rendering.ts";
import { type Sent, send } from "../client.ts";
import { factOf, row } from "./status.ts";

useRendering({ SERVICE_RENDER_CACHE_MB: "64" });
useDatabase();

describe("with the access layer on, the status", () => {
  let session: string;

  beforeEach(async () => {
    session = (await signIn(await addUser("admin", "admin"))).secret;
  });

  const origin = (headers: Sent["headers"] = {}) => row("origin", { session, headers });

  it("reports how the database answers, and names hosts of a private network to administrators", async () => {
    vi.stubEnv("SERVICE_IMAGE_PRIVATE_HOSTS", "http://minio.internal:9000");
    const database = await row("database", { session });
    expect(factOf(database, "Latency")).toBeGreaterThan(0);
    expect(factOf(database, "Version")).toMatch(/^\d+/);
    expect(JSON.stringify(await row("outbound", { session }))).toContain("http://minio.internal:9000");
  });

  it("is red where the database answers, but refuses to write", async () => {
    const turn = (way: string) => query((db) => db.execute(sql.raw(`set default_transaction_read_only = ${way}`)));
    await turn("on");
    onTestFinished(() => turn("off").then(() => undefined));
    const summary = "The database refuses to write: nobody can sign in, and nothing can be changed.";
    expect(await row("database", { session })).toMatchObject({ state: "error", summary });
    await turn("off");
    expect((await row("database", { session })).summary).not.toBe(summary);
  });

  it("is yellow where the clocks of the server and of the database are apart", async () => {
    expect(await row("database", { session })).not.toMatchObject({ summary: expect.stringContaining("clocks") });
    onTestFinished(() => void vi.useRealTimers());
    for (const ms of [-7_200_000, 7_200_000]) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
      const summary = expect.stringMatching(
        /^The clocks of this server and of its database are 7[12]\d\d seconds apart\.$/,
      );
      expect(await row("database", { session })).toMatchObject({ state: "warning", summary });
      vi.useRealTimers();
    }
  });

  it("is green for requests whose session cookie browsers keep", async () => {
    expect((await origin()).state).toBe("ok");
    vi.stubEnv("SERVICE_TRUST_PROXY", "true");
    const proxied = {
      "x-forwarded-for": "192.0.2.1",
      "x-forwarded-host": "platen.example.com",
      "x-forwarded-proto": "https",
    };
    const trusted = await origin(proxied);
    expect([trusted.state, factOf(trusted, "This request came over")]).toEqual(["ok", "https"]);
    vi.stubEnv("SERVICE_TRUST_PROXY", "");
    vi.stubEnv("SERVICE_PUBLIC_ORIGIN", "https://platen.example.com");
    const named = await origin(proxied);
    expect(named.state).toBe("warning");
    const unproxied = await origin({ host: "platen.example.com" });
    expect(unproxied).toMatchObject({ state: "ok", summary: expect.stringContaining("https://platen.example.com") });
    expect(factOf(named, "This request asked by the configured name")).toBe(true);
    expect(factOf(await origin(), "This request asked by the configured name")).toBe(false);
  });

  it.each([
    ["plain http", {}, { host: "platen.example.com" }, /plain http/],
    [
      "a trusted proxy over plain http",
      { SERVICE_TRUST_PROXY: "true" },
      { "x-forwarded-host": "platen.example.com", "x-forwarded-proto": "http" },
      /plain http/,
    ],
    ["a trusted proxy that says nothing", { SERVICE_TRUST_PROXY: "true" }, {}, /X-Forwarded-Host is missing/],
    [
      "a proxy that is not trusted",
      {},
      { "x-forwarded-host": "platen.example.com", "x-forwarded-proto": "https" },
      /X-Forwarded-Proto disagrees with Host/,
    ],
    ["a public origin of plain http", { SERVICE_PUBLIC_ORIGIN: "http://platen.example.com" }, {}, /plain http/],
  ] as [string, Record<string, string>, Record<string, string>, RegExp][])(
    "is red for %s",
    async (_what, env, headers, summary) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      expect(await origin(headers)).toMatchObject({
        state: "error",
        summary: expect.stringMatching(summary),
        remedy: expect.stringMatching(/SERVICE_PUBLIC_ORIGIN.*SERVICE_TRUST_PROXY/),
      });
    },
  );

  it("is yellow for a proxy that is not trusted and only hides addresses", async () => {
    for (const publicOrigin of ["", "https://platen.example.com"]) {
      vi.stubEnv("SERVICE_PUBLIC_ORIGIN", publicOrigin);
      const found = await origin({ "x-forwarded-for": "192.0.2.1" });
      expect(found).toMatchObject({ state: "warning", remedy: expect.stringContaining("SERVICE_TRUST_PROXY=true") });
    }
  });

  it("is yellow for trusted proxies that name no client", async () => {
    vi.stubEnv("SERVICE_TRUST_PROXY", "2");
    const proxied = { "x-forwarded-host": "platen.example.com", "x-forwarded-proto": "https" };
    const short = await origin({ ...proxied, "x-forwarded-for": "192.0.2.1" });
    expect(short).toMatchObject({
      state: "warning",
      remedy: expect.stringContaining("SERVICE_TRUST_PROXY to their number"),
    });
    expect((await origin({ ...proxied, "x-forwarded-for": "192.0.2.1, 192.0.2.2" })).state).toBe("ok");
  });

  it("is judged by the headers of the page's own request, not by those that the framework filled in", async () => {
    const headers = new Headers({ host: "platen.example.com", cookie: `service_session=${session}` });
    const page = { requestId: "01TESTS", method: "GET", received: { headers, encrypted: false } };
    const filled = new Headers([...headers, ["x-forwarded-proto", "https"]]);
    const { checks } = await runInRequestContext(page, () => call(GET, { returns: StatusReport, headers: filled }));
    const found = checks.find(({ id }) => id === "origin");
    expect(found).toMatchObject({ state: "error", summary: expect.stringContaining("plain http") });
    expect(found && factOf(found, "Through a proxy")).toBe(false);
  });

  it("is for administrators only", async () => {
    const user = await signIn(await addUser("user"));
    for (const path of ["status", "status/scripts", "status/scripts?theme=none"]) {
      expect((await errorOf(await send("GET", path, { session: user.secret }))).code).toBe("forbidden");
      expect((await errorOf(await send("GET", path))).code).toBe("unauthorized");
    }
  });
});
