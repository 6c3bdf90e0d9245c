import { expect, it, vi } from "vitest";
import { addressNetwork } from "#lib/addresses/address-group.ts";
import { rendering, renderPrepared } from "#lib/render/render.ts";
import { HOST, send } from "../app/client.ts";
import { errorOf } from "../http/requests.ts";
import { CARD, get, useLinks } from "./linked-card.ts";
import { KEY, linkTo, OTHER_KEY } from "./links.ts";

useLinks();

/** Where {@link get} comes from: its requests have no address. */
const SENDER = addressNetwork(null);

type Occupied = { caller: string; sender?: string; count: number };

/** Renders of a sender that do not end before `act` has. */
async function whileOccupied(
  { caller, sender = SENDER, count }: Occupied,
  act: (held: Promise<unknown>[]) => Promise<void>,
): Promise<void> {
  const end = new AbortController();
  const begun = Promise.withResolvers<void>();
  const hold = (signal: AbortSignal) => {
    begun.resolve();
    return new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  };
  const options = { signal: end.signal, caller, sender };
  const held = Array.from({ length: count }, () => renderPrepared(hold, options));
  const settled = Promise.allSettled(held);
  await begun.promise;
  await act(held).finally(() => end.abort());
  await settled;
}

it("a link is not replaced by its fallback while the service is busy", async () => {
  vi.stubEnv("SERVICE_RENDER_QUEUE", "0");
  await whileOccupied({ caller: `link:${KEY.id}`, count: 1 }, async () => {
    const response = await get(linkTo({ ...CARD, data: { title: "Busy" }, fallback: "spare" }));
    expect(response.headers.has("retry-after")).toBe(true);
    expect((await errorOf(response)).code).toBe("overloaded");
  });
});

it("links of one key that fill the queue give up a place to another caller", async () => {
  vi.stubEnv("SERVICE_RENDER_QUEUE", "3");
  await whileOccupied({ caller: `link:${KEY.id}`, count: 4 }, async () => {
    const full = await get(linkTo({ ...CARD, data: { title: "One more" } }));
    expect((await errorOf(full)).code).toBe("overloaded");
    const other = await get(linkTo({ ...CARD, data: { title: "One more" } }, OTHER_KEY));
    expect(other.status).toBe(200);
    expect((await send("POST", "images/render", { json: CARD })).status).toBe(200);
  });
});

it("a client that asks for many links of a key gives up a place to another client", async () => {
  vi.stubEnv("SERVICE_RENDER_QUEUE", "3");
  let asked: Promise<Response> | undefined;
  await whileOccupied({ caller: `link:${KEY.id}`, sender: "crowd", count: 4 }, async (held) => {
    asked = get(linkTo({ ...CARD, data: { title: "A single one" } }));
    const displaced = held.at(-1)?.catch(({ code }) => code);
    expect(await Promise.race([displaced, asked.then(({ status }) => status)])).toBe("overloaded");
  });
  expect((await asked)?.status).toBe(200);
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

it.each([
  ["can be kept", "test"],
  ["cannot be kept", "development"],
])(
  "a link that one client has asked for does not wait for its turn when another asks for it: it %s",
  async (_, mode) => {
    vi.stubEnv("NODE_ENV", mode);
    vi.stubEnv("SERVICE_TRUST_PROXY", "true");
    const link = linkTo({ ...CARD, data: { title: "Asked for by both" } });
    const askFrom = async (address: string) => {
      const forwarded = { "x-forwarded-for": address, "x-forwarded-host": HOST, "x-forwarded-proto": "http" };
      return (await get(link, forwarded)).status;
    };
    const crowd = { caller: `link:${KEY.id}`, sender: addressNetwork("192.0.2.1"), count: 40 };
    await whileOccupied(crowd, async () => {
      const render = vi.spyOn(rendering.get(), "render");
      const first = askFrom("192.0.2.1");
      await vi.waitFor(() => expect(rendering.get().state.waiting).toBe(crowd.count + 1), { timeout: 20_000 });
      expect(await askFrom("192.0.2.2")).toBe(200);
      expect(await first).toBe(200);
      expect(render).toHaveBeenCalledTimes(1);
    });
  },
);
