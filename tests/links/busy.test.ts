import { expect, it, vi } from "vitest";
import { rendering, renderPrepared } from "#lib/render/render.ts";
import { send } from "../app/client.ts";
import { errorOf } from "../http/requests.ts";
import { CARD, get, useLinks } from "./linked-card.ts";
import { KEY, linkTo, OTHER_KEY } from "./links.ts";

useLinks();

/** Renders of a caller that do not end before `act` has. */
async function whileOccupied(caller: string, count: number, act: () => Promise<void>): Promise<void> {
  const end = new AbortController();
  const begun = Promise.withResolvers<void>();
  const hold = (signal: AbortSignal) => {
    begun.resolve();
    return new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  };
  const held = Array.from({ length: count }, () => renderPrepared(hold, { signal: end.signal, caller }));
  const settled = Promise.allSettled(held);
  await begun.promise;
  await act().finally(() => end.abort());
  await settled;
}

it("a link is not replaced by its fallback while the service is busy", async () => {
  vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
  await whileOccupied(`link:${KEY.id}`, 1, async () => {
    const response = await get(linkTo({ ...CARD, data: { title: "Busy" }, fallback: "spare" }));
    expect(response.headers.has("retry-after")).toBe(true);
    expect((await errorOf(response)).code).toBe("overloaded");
  });
});

it("links of one key that fill the queue give up a place to another caller", async () => {
  vi.stubEnv("SERVICE_RENDER_QUEUE", "3");
  await whileOccupied(`link:${KEY.id}`, 4, async () => {
    const full = await get(linkTo({ ...CARD, data: { title: "One more" } }));
    expect((await errorOf(full)).code).toBe("overloaded");
    const other = await get(linkTo({ ...CARD, data: { title: "One more" } }, OTHER_KEY));
    expect(other.status).toBe(200);
    expect((await send("POST", "images/render", { json: CARD })).status).toBe(200);
  });
});

it("a link whose picture cannot be kept is drawn once for all that wait for it", async () => {
  // As for an image from another server, which may change.
  vi.stubEnv("NODE_ENV", "development");
  vi.stubEnv("SERVICE_RENDER_QUEUE", "1");
  const render = vi.spyOn(rendering.get(), "render");
  const link = linkTo({ ...CARD, data: { title: "Asked for by many" } });
  const responses = await Promise.all(Array.from({ length: 20 }, () => get(link)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(render).toHaveBeenCalledTimes(1);
});
