import { beforeAll, expect, it } from "vitest";
import { shutDown } from "#lib/render/render.ts";
import { addToken, addUser, signIn } from "#tests/access/people.ts";
import { useDatabase } from "#tests/database.ts";
import { prepareTemplates } from "#tests/templates/shipped.ts";
import { send } from "../client.ts";
import { logIn } from "./login.ts";

useDatabase();

let template: string;

beforeAll(async () => {
  template = await prepareTemplates();
  return () => shutDown();
});

const SOCKETS = 250;
const ROUNDS = 15;

it("a flood of wrong logins fails no session, no token and no probe", async () => {
  const { secret: session, actor } = await signIn(await addUser("ada"));
  const { token } = await addToken(actor);
  const ready = async () => (await send("GET", "/readyz")).status;
  // The first browser starts before the flood.
  while ((await ready()) !== 200)
    expect((await send("POST", "images/render", { token, json: { template } })).status).toBe(200);
  const statuses: Record<string, Set<number>> = { account: new Set(), render: new Set(), ready: new Set() };
  const refused = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const flood = Array.from({ length: SOCKETS }, async (_, at) => {
      refused.add((await logIn({ email: `${at % 50}@example.com`, password: "not the right password" })).status);
    });
    statuses.account?.add((await send("GET", "account", { session })).status);
    statuses.render?.add((await send("POST", "images/render", { token, json: { template } })).status);
    statuses.ready?.add(await ready());
    await Promise.all(flood);
  }
  expect(statuses).toEqual({ account: new Set([200]), render: new Set([200]), ready: new Set([200]) });
  expect([...refused].toSorted()).toEqual([401, 429]);
});
