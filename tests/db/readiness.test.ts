import { expect, it, onTestFinished } from "vitest";
import { GET as health } from "../../app/healthz/route.ts";
import { GET as readiness } from "../../app/readyz/route.ts";
import { useDatabase } from "../database.ts";
import { useRelay } from "./relay.ts";

useDatabase();

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
