import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { checkRendering, renderPicture, renderPrepared, shutDown, warmUp } from "#lib/render/render.ts";
import { shared } from "#lib/render/shared.ts";
import { eventually, prepareMachine } from "./rig.ts";

const RENDER_MS = 100;
const JOB = { html: "<!doctype html><p>x", width: 100, height: 100 };
const SLOW = { ...JOB, measure: `(() => { for (const end = Date.now() + ${RENDER_MS}; Date.now() < end;); })()` };

beforeAll(async () => {
  await prepareMachine();
  vi.stubEnv("SERVICE_RENDER_WORKERS", "2");
  await warmUp();
  await eventually(() => shared.get().pool?.pids.length === 2);
});

afterEach(() => vi.unstubAllEnvs());
afterAll(shutDown);

/** Asks for pictures at once, and notes in `order` when each has its answer. */
function ask({ caller, count, order = [] }: { caller: string; count: number; order?: string[] }) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const code = await renderPicture(SLOW, { caller }).then(
        () => "drawn",
        (error) => error.code as string,
      );
      order.push(caller);
      return code;
    }),
  );
}

const tally = (codes: string[]) => ({
  drawn: codes.filter((code) => code === "drawn").length,
  overloaded: codes.filter((code) => code === "overloaded").length,
});

describe("a caller with sixty waiting renders", () => {
  test("delays another's only one by no more than two of its own for each browser", async () => {
    const order: string[] = [];
    const crowd = ask({ caller: "crowd", count: 60, order });
    await setTimeout(2 * RENDER_MS);
    const before = order.length;
    await ask({ caller: "single", count: 1, order });
    expect(order.length - before).toBeLessThanOrEqual(1 + 2 * 2);
    expect(tally(await crowd)).toEqual({ drawn: 60, overloaded: 0 });
  });

  test("delays no readiness probe", async () => {
    const crowd = ask({ caller: "crowd", count: 30 });
    await setTimeout(RENDER_MS);
    shared.get().lastSuccessAt = undefined;
    expect(await checkRendering()).toEqual({ ok: true });
    expect(shared.get().pool?.pids).toHaveLength(2);
    await crowd;
  });

  test("holds up nobody's preparation by its own", async () => {
    let preparing = 0;
    let most = 0;
    const prepare = async () => {
      most = Math.max(most, ++preparing);
      await setTimeout(20);
      preparing--;
      return JOB;
    };
    await Promise.all(Array.from({ length: 40 }, () => renderPrepared(prepare, { caller: "crowd" })));
    expect(most).toBeLessThanOrEqual(3);
  });
});

test("callers are served in turn, each in the order in which it asked", async () => {
  const order: string[] = [];
  const numbered = (caller: string) =>
    Array.from({ length: 4 }, async (_, index) => {
      await renderPicture(SLOW, { caller });
      order.push(`${caller}${index}`);
    });
  await Promise.all([numbered("a"), numbered("b"), numbered("c")].flat());
  for (const caller of ["a", "b", "c"]) {
    const own = order.filter((name) => name.startsWith(caller));
    // Two browsers draw side by side: neighbours may change places.
    for (const [index, name] of own.entries()) expect(Math.abs(Number(name.slice(1)) - index)).toBeLessThanOrEqual(1);
  }
  expect(new Set(order.slice(0, 6).map((name) => name[0]))).toEqual(new Set(["a", "b", "c"]));
});

describe("the queue", () => {
  test("is a lone caller's as a whole, and refuses what is too much before anything is drawn, with a time to come back", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "20");
    let refused = 0;
    let refusedBeforeAny = 0;
    const asked = Array.from({ length: 30 }, () =>
      renderPicture(SLOW, { caller: "alone" }).catch((error) => {
        refused++;
        expect(error).toMatchObject({
          code: "overloaded",
          headers: { "Retry-After": expect.stringMatching(/^[1-9]\d?$/) },
        });
        return undefined;
      }),
    );
    await Promise.any(asked.map(async (picture) => (await picture) ?? Promise.reject(new Error("refused"))));
    refusedBeforeAny = refused;
    const pictures = await Promise.all(asked);
    expect(pictures.filter(Boolean)).toHaveLength(22);
    expect([refusedBeforeAny, refused]).toEqual([8, 8]);
  });

  test("is shared as soon as another comes: whoever has most loses its newest places", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "20");
    const greedy = ask({ caller: "greedy", count: 22 });
    await eventually(() => shared.get().pool?.state.waiting === 20);
    const modest = ask({ caller: "modest", count: 15 });
    const [first, second] = [tally(await greedy), tally(await modest)];
    // Twenty places wait, ten for each; two of the first were being drawn.
    expect(second.drawn).toBeGreaterThanOrEqual(9);
    expect(second.drawn).toBeLessThanOrEqual(12);
    expect(first.drawn).toBeGreaterThanOrEqual(10);
    expect(first.drawn + second.drawn).toBeLessThanOrEqual(24);
  });

  test("turns away whoever has as much as the others, and takes nothing from anybody for it", async () => {
    vi.stubEnv("SERVICE_RENDER_QUEUE", "4");
    const callers = ["a", "b", "c", "d", "e", "f"];
    const asked = callers.map((caller) => ask({ caller, count: 1 }));
    await eventually(() => shared.get().pool?.state.waiting === 4);
    expect(await ask({ caller: "g", count: 1 })).toEqual(["overloaded"]);
    expect((await Promise.all(asked)).flat()).toEqual(Array(6).fill("drawn"));
  });
});
