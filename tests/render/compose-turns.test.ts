import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inThreadTurn } from "#lib/images/thread-turns.ts";
import { rendering, shutDown } from "#lib/render/render.ts";
import { renderTemplate } from "#lib/render/render-template.ts";
import { prepareTemplates } from "#tests/templates/shipped.ts";
import { prepareMachine } from "./rig.ts";

beforeAll(prepareMachine);
beforeAll(prepareTemplates);
afterAll(shutDown);

it("a document is filled in the turn of its caller", async () => {
  const request = { template: "social/quote" };
  await renderTemplate(request);
  const held = Promise.withResolvers<void>();
  const other = inThreadTurn(() => held.promise);
  const picture = renderTemplate(request);
  await sleep(300);
  expect(rendering.get().state).toMatchObject({ waiting: 1, rendering: 0 });
  held.resolve();
  await other;
  expect((await picture).png.length).toBeGreaterThan(0);
});
