import { describe, expect, test } from "vitest";
import { PAGES_CALLER } from "#lib/render/queue/fair-queue.ts";
import { PROBE_CALLER } from "#lib/render/readiness.ts";
import { configWith, jobNamed, many, settle, startPool, watch } from "./fake-browsers.ts";

describe("a full queue", () => {
  const config = configWith({ queueLimit: 20 });

  test("belongs to a lone caller as a whole, and refuses the rest before they are prepared", async () => {
    const { browsers, pool } = await startPool({ size: 2, config });
    let prepared = 0;
    const asked = many(30, "r").map((name) =>
      watch(
        pool.render(
          async () => {
            prepared++;
            return jobNamed(name);
          },
          { config, caller: "alone" },
        ),
      ),
    );
    await settle();
    const refused = asked.filter(({ outcome }) => outcome === "overloaded");
    expect(refused).toEqual(asked.slice(22));
    expect(prepared).toBe(5);
    expect(pool.state).toMatchObject({ waiting: 20, placesTaken: 20, rendering: 2 });
    browsers.finishAll();
    await Promise.all(asked.map(({ done }) => done));
    expect(asked.filter(({ outcome }) => outcome === "done")).toHaveLength(22);
  });

  test("prepares none of the renders whose clients have disconnected, and keeps no place for them", async () => {
    const { pool } = await startPool({ size: 1, config });
    const clients = new AbortController();
    let prepared = 0;
    const untilAbort = (signal: AbortSignal) => {
      prepared++;
      return new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    };
    const asked = many(20, "r").map(() =>
      watch(pool.render(untilAbort, { config, caller: "alone", signal: clients.signal })),
    );
    await settle();
    const ahead = prepared;
    clients.abort();
    await Promise.all(asked.map(({ done }) => done));
    await settle();
    expect(prepared).toBe(ahead);
    expect(pool.state).toMatchObject({ waiting: 0, placesTaken: 0 });
  });

  test("is shared as soon as another caller comes: the one with the most places loses its newest", async () => {
    const { browsers, render } = await startPool({ size: 2, config });
    const greedy = many(22, "g").map((name) => render(name, { caller: "greedy" }));
    await settle();
    const modest = many(15, "m").map((name) => render(name, { caller: "modest" }));
    await settle();
    browsers.finishAll();
    await Promise.all([...greedy, ...modest].map(({ done }) => done));
    const outcomes = (all: typeof greedy) => all.map(({ outcome }) => outcome);
    // Two of the first caller's are being rendered. Of the twenty places, each caller ends up with ten.
    expect(outcomes(greedy)).toEqual([...Array(12).fill("done"), ...Array(10).fill("overloaded")]);
    expect(outcomes(modest)).toEqual([...Array(10).fill("done"), ...Array(5).fill("overloaded")]);
    for (const { error } of [greedy[21], modest[14]].map((one) => one ?? expect.fail()))
      expect(error).toMatchObject({ headers: { "Retry-After": expect.stringMatching(/^[1-9]\d?$/) } });
  });

  test("refuses a caller that has as many places as the others, and takes none from them", async () => {
    const { browsers, render, pool } = await startPool({ size: 2, config: configWith({ queueLimit: 4 }) });
    const asked = [..."abcdef"].map((caller) => render(caller, { caller }));
    await settle();
    expect(pool.state).toMatchObject({ waiting: 4, rendering: 2 });
    const late = render("g", { caller: "g" });
    await late.done;
    expect(late.outcome).toBe("overloaded");
    browsers.finishAll();
    await Promise.all(asked.map(({ done }) => done));
    expect(asked.map(({ outcome }) => outcome)).toEqual(Array(6).fill("done"));
  });

  test("has room for exactly as many renders as it may hold, beside those that browsers work on", async () => {
    const { render } = await startPool({ config: configWith({ queueLimit: 0 }) });
    const first = render("first");
    await settle();
    const second = render("second");
    await second.done;
    expect([first.outcome, second.outcome]).toEqual([undefined, "overloaded"]);
  });

  test("has no place taken by the pictures of the service's own pages, which displace no request", async () => {
    const { browsers, pool, render } = await startPool({ config: configWith({ queueLimit: 1 }) });
    const pages = many(4, "p").map((name) => render(name, { caller: PAGES_CALLER }));
    await settle();
    expect(pool.state).toMatchObject({ waiting: 3, placesTaken: 0, rendering: 1 });
    const asked = many(3, "r").map((name) => render(name));
    await settle();
    expect(asked.map(({ outcome }) => outcome)).toEqual([undefined, undefined, "overloaded"]);
    const another = render("another page", { caller: PAGES_CALLER });
    browsers.finishAll();
    await Promise.all([...pages, ...asked, another].map(({ done }) => done));
    expect([...pages, ...asked.slice(0, 2), another].map(({ outcome }) => outcome)).toEqual(Array(7).fill("done"));
  });

  test("takes nothing from the pages' pictures for a request: they have no place to give", async () => {
    const { render } = await startPool({ config: configWith({ queueLimit: 1 }) });
    const pages = many(6, "p").map((name) => render(name, { caller: PAGES_CALLER }));
    await settle();
    const asked = many(3, "r").map((name, index) => render(name, { caller: `caller ${index}` }));
    await settle();
    expect(asked.map(({ outcome }) => outcome)).toEqual([undefined, undefined, "overloaded"]);
    expect(pages.map(({ outcome }) => outcome)).toEqual(Array(6).fill(undefined));
  });

  test("has no place taken by probes, which are drawn although it is full and displace no request", async () => {
    const { browsers, render } = await startPool({ config: configWith({ queueLimit: 1 }) });
    const asked = many(2, "r").map((name) => render(name, { caller: name }));
    await settle();
    const probe = render("probe", { caller: PROBE_CALLER });
    await settle();
    const late = render("late", { caller: "late" });
    await late.done;
    browsers.finishAll();
    await Promise.all([...asked, probe].map(({ done }) => done));
    expect([...asked, probe, late].map(({ outcome }) => outcome)).toEqual(["done", "done", "done", "overloaded"]);
  });
});
