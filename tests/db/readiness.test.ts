import { setImmediate as nextRound } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { checkDatabaseSoon } from "#lib/db/check-database.ts";
import { closeDatabase, query } from "#lib/db/database.ts";
import { KNOWN_OUTAGE_MS, QUERY_TIMEOUT_MS } from "#lib/db/database-limits.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { GET as health } from "../../app/healthz/route.ts";
import { GET as readiness } from "../../app/readyz/route.ts";
import { captureLog } from "../captured-log.ts";
import { useDatabase } from "../database.ts";
import { forgetWarnings } from "./rare-warnings.ts";
import { useRelay } from "./relay.ts";

useDatabase();
beforeEach(forgetWarnings);

it("a service whose database is known to hang answers soon, and is ready again with it", async () => {
  const { relay, remove } = await useRelay();
  onTestFinished(remove);
  await checkDatabaseSoon();
  await relay.set("hang");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  // That it hangs is found out once, by a check that takes the whole time of a query.
  const first = checkDatabaseSoon().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(QUERY_TIMEOUT_MS);
  expect(await first).toMatchObject({ code: "unavailable" });
  const later = [checkDatabaseSoon(), checkDatabaseSoon()].map((check) => check.catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(KNOWN_OUTAGE_MS);
  for (const error of await Promise.all(later)) expect(error).toMatchObject({ code: "unavailable" });
  // The check of the two goes on, finds the database, and the next one need not wait.
  await relay.set("pass");
  vi.useRealTimers();
  await vi.waitFor(() => checkDatabaseSoon(), { timeout: 60_000 });
});

it("a service whose database has lost its tables is not ready, which the log explains in one line, until it has them again", async () => {
  const rename = (from: string, to: string) =>
    query((db) => db.execute(sql.raw(`alter table ${from} rename to ${to}`)));
  await checkDatabaseSoon();
  const lines = captureLog();
  await rename("users", "users_away");
  try {
    for (let count = 0; count < 3; count++)
      await expect(checkDatabaseSoon()).rejects.toMatchObject({ code: "unavailable", headers: { "Retry-After": "2" } });
  } finally {
    await rename("users_away", "users");
  }
  await checkDatabaseSoon();
  const reason = expect.stringContaining('relation "users" does not exist');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "warn", reason }]);
});

it("a service without its database is not ready, and healthy", async () => {
  const { relay, remove } = await useRelay();
  onTestFinished(remove);
  const context = { params: Promise.resolve({}) };
  await relay.set("refuse");
  const response = await readiness(new Request("http://localhost/readyz"), context);
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe("2");
  expect(await response.json()).toMatchObject({ error: { code: "unavailable" } });
  expect((await health(new Request("http://localhost/healthz"), context)).status).toBe(200);
});

it("a check with settings that cannot be used fails once: nothing else fails later, unnoticed", async () => {
  await closeDatabase();
  const unhandled = vi.fn();
  process.prependListener("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  vi.stubEnv("DATABASE_URL", "postgres://platen@first,second/platen");
  await expect(checkDatabaseSoon()).rejects.toThrow(ConfigError);
  await nextRound();
  expect(unhandled).not.toHaveBeenCalled();
});
