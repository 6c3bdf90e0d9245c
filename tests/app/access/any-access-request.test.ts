import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, it, vi } from "vitest";
import { revokeToken } from "#lib/access/tokens.ts";
import { query } from "#lib/db/database.ts";
import { checkRendering, shutDown } from "#lib/render/render.ts";
import { addToken, addUser, CALLER, NOBODY, signIn } from "../../access/people.ts";
import { emptyDatabase, useDatabase } from "../../database.ts";
import { errorOf, expectSafeHeaders } from "../../http/requests.ts";
import { prepareTemplates } from "../../templates/shipped.ts";
import { send } from "../client.ts";
import { documented } from "../documented-answers.ts";
import { anyRequest, type World } from "./arbitrary-access-requests.ts";

/** Successful requests change the users and end sessions, so each round starts with a new set, and is short. */
const ROUNDS = 20;
const REQUESTS_PER_ROUND = 75;
const TIMEOUT_MS = 180_000;

// On a busy machine a browser may be replaced because it was slow, and `/readyz` would answer 503 until the next one has drawn a
// picture. With time for that, 503 means a fault here.
vi.mock("#lib/render/render-limits.ts", async (importOriginal) => {
  const limits = await importOriginal<typeof import("#lib/render/render-limits.ts")>();
  return { ...limits, READY_ANSWER_MS: 60_000, PROBE_TIMEOUT_MS: 60_000, RECOVERY_TIMEOUT_MS: 60_000 };
});

useDatabase();

let slug: string;

beforeAll(async () => {
  slug = await prepareTemplates();
  return () => shutDown();
});

async function populate(): Promise<World> {
  await emptyDatabase();
  const people = [await addUser("admin", "admin"), await addUser("second", "admin"), await addUser("ada")];
  const signedIn = await Promise.all(people.map((user) => signIn(user)));
  const tokens = await Promise.all(signedIn.map(({ actor }) => addToken(actor)));
  const [first] = signedIn;
  if (first) await revokeToken({ actor: first.actor, id: tokens[0]?.id ?? "", caller: CALLER });
  const sessionIds = signedIn.map(({ actor }) => actor.sessionId);
  const ids = [...people.map(({ id }) => id), ...tokens.map(({ id }) => id), ...sessionIds, NOBODY];
  return { slug, ids, sessions: signedIn.map(({ secret }) => secret), tokens: tokens.map(({ token }) => token) };
}

/** Pictures that a browser may cache. */
const KEPT = /^\/api\/service\/(?:thumbnails\/|status\/scripts)/;

it(
  `${ROUNDS * REQUESTS_PER_ROUND} arbitrary requests are answered as the contract says, and an administrator remains`,
  async () => {
    // `/readyz` answers 503 until it is known whether rendering works.
    expect((await checkRendering()).ok).toBe(true);
    const seen = new Set<number>();
    const expectDocumented = await documented();
    for (let round = 0; round < ROUNDS; round++) {
      const property = fc.asyncProperty(anyRequest(await populate()), async (request) => {
        const response = await send(request.method, request.path, request.sent);
        seen.add(response.status);
        const isKept = response.ok && KEPT.test(request.path);
        expectSafeHeaders(response, isKept ? { cacheControl: "private, max-age=60, must-revalidate" } : {});
        const isFailure = response.status >= 500;
        expect(isFailure ? `${response.status} ${await response.clone().text()}` : "").toBe("");
        if (!response.ok && request.method !== "HEAD") await errorOf(response.clone());
        await expectDocumented(request, response);
      });
      await fc.assert(property, { numRuns: REQUESTS_PER_ROUND, endOnFailure: true });
      const [row] = await query((db) =>
        db.execute<{ count: number }>(sql`select count(*)::int from users where role = 'admin' and status = 'active'`),
      );
      expect(row?.count).toBeGreaterThan(0);
    }
    // The requests reached every check: each has its status here.
    expect([...seen].toSorted()).toEqual(
      expect.arrayContaining([200, 201, 400, 401, 403, 404, 405, 409, 413, 415, 422]),
    );
  },
  TIMEOUT_MS,
);
