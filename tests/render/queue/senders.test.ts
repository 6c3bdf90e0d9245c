import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { abortable } from "#lib/abortable.ts";
import { SENDERS_TOLD_APART, Senders } from "#lib/addresses/senders.ts";
import { SENDERS_AHEAD } from "#lib/render/render-limits.ts";
import { configWith, jobNamed, many, settle, startPool, watch } from "./fake-browsers.ts";

const config = configWith({ queueLimit: 10 });

const NEVER = new Promise<never>(() => undefined);

describe("a sender that fills the queue of its caller", () => {
  test("delays the only render of another sender by those that are prepared, and no more", async () => {
    const { browsers, render } = await startPool({ config: configWith({ queueLimit: 100 }) });
    for (const name of many(60, "crowd")) render(name, { caller: "key", sender: "crowd" });
    await settle();
    const single = render("single", { caller: "key", sender: "single" });
    for (let drawn = 0; drawn < 3; drawn++) {
      await settle();
      browsers.render(`crowd${drawn}`).finish();
    }
    await settle();
    expect(browsers.names).toContain("single");
    browsers.finishAll();
    await single.done;
    expect(single.outcome).toBe("done");
  });

  test("does not delay others while its images do not arrive, up to a number of them", async () => {
    const { browsers, pool, render, config } = await startPool({ config: configWith({ queueLimit: 100 }) });
    const end = new AbortController();
    const { signal } = end;
    const held = (sender: string) =>
      watch(pool.render(() => abortable(NEVER, signal), { config, signal, caller: "key", sender }));
    const hanging = Array.from({ length: 60 }, () => held("crowd"));
    const draw = async (name: string) => {
      const { done } = render(name, { caller: "key", sender: name });
      await settle();
      browsers.finishAll();
      return await Promise.race([done.then(() => "drawn"), settle().then(() => "waits")]);
    };
    expect(await draw("other")).toBe("drawn");
    hanging.push(held("twice"), held("twice"), ...many(SENDERS_AHEAD - 2, "sender").map(held));
    expect(await draw("ninth")).toBe("drawn");
    hanging.push(held("last"));
    expect(await draw("tenth")).toBe("waits");
    end.abort();
    await Promise.all(hanging.map(({ done }) => done));
  });

  test("gives up places to another sender until both have as many", async () => {
    const { browsers, render } = await startPool({ config });
    const greedy = many(11, "g").map((name) => render(name, { caller: "key", sender: "greedy" }));
    await settle();
    const modest = many(7, "m").map((name) => render(name, { caller: "key", sender: "modest" }));
    await settle();
    browsers.finishAll();
    await Promise.all([...greedy, ...modest].map(({ done }) => done));
    const outcomes = (all: typeof greedy) => all.map(({ outcome }) => outcome);
    expect(outcomes(greedy)).toEqual([...Array(6).fill("done"), ...Array(5).fill("overloaded")]);
    expect(outcomes(modest)).toEqual([...Array(5).fill("done"), ...Array(2).fill("overloaded")]);
  });

  test("loses its newest render, and not the only one of another sender, when another caller comes", async () => {
    const { browsers, render } = await startPool({ config });
    const greedy = many(10, "g").map((name) => render(name, { caller: "key", sender: "greedy" }));
    await settle();
    const single = render("single", { caller: "key", sender: "single" });
    await settle();
    const other = render("other", { caller: "other" });
    await settle();
    browsers.finishAll();
    await Promise.all([...greedy, single, other].map(({ done }) => done));
    expect([greedy[9]?.outcome, single.outcome, other.outcome]).toEqual(["overloaded", "done", "done"]);
  });

  test("gives up its only place to another sender that has used little", async () => {
    const { browsers, render } = await startPool({ config: configWith({ queueLimit: 1 }) });
    const greedy = many(2, "g").map((name) => render(name, { caller: "key", sender: "greedy" }));
    // The second one holds its place for this long.
    await delay(20);
    browsers.render("g0").finish();
    await settle();
    greedy.push(...many(2, "h").map((name) => render(name, { caller: "key", sender: "greedy" })));
    await settle();
    const single = render("single", { caller: "key", sender: "single" });
    await settle();
    const again = render("again", { caller: "key", sender: "greedy" });
    await settle();
    browsers.finishAll();
    await Promise.all([...greedy, single, again].map(({ done }) => done));
    expect([single.outcome, again.outcome]).toEqual(["done", "overloaded"]);
  });

  test("gets no place of another caller for having several senders", async () => {
    const { browsers, render } = await startPool({ config });
    const others = many(6, "o").map((name) => render(name, { caller: "other" }));
    await settle();
    const senders = many(9, "s").map((name) => render(name, { caller: "key", sender: name }));
    await settle();
    browsers.finishAll();
    await Promise.all([...others, ...senders].map(({ done }) => done));
    expect(others.map(({ outcome }) => outcome)).toEqual(Array(6).fill("done"));
    expect(senders.filter(({ outcome }) => outcome === "done")).toHaveLength(5);
  });
});

test("a sender with several renders has its turns while others send one at a time", async () => {
  const { browsers, render } = await startPool({ config: configWith({ queueLimit: 100 }) });
  for (const name of many(4, "own")) render(name, { caller: "key", sender: "several" });
  const next = (sender: string) => render(sender, { caller: "key", sender });
  const others = many(2 * SENDERS_AHEAD, "other");
  for (const sender of others) next(sender);
  for (let drawn = 0; drawn < 3 * others.length && !browsers.names.includes("own3"); drawn++) {
    await settle();
    const last = browsers.begun.at(-1);
    last?.finish();
    if (last && others.includes(last.name)) next(last.name);
  }
  expect(browsers.names).toContain("own3");
});

describe("a picture that several senders wait for", () => {
  test("tells a bounded number of them apart, and forgets none", () => {
    const senders = new Senders();
    const names = many(SENDERS_TOLD_APART + 5, "c").map((name) => senders.add(name));
    expect(senders.names).toEqual(many(SENDERS_TOLD_APART, "c"));
    const isEmpty = names.map((name) => senders.remove(name));
    expect(isEmpty).toEqual([...Array(SENDERS_TOLD_APART + 4).fill(false), true]);
  });

  /** Sixty renders of a crowd, and then one that it shares. */
  async function startShared(queueLimit: number) {
    const { browsers, pool, render, config } = await startPool({ config: configWith({ queueLimit }) });
    const senders = new Senders();
    senders.add("crowd");
    const crowd = many(60, "crowd").map((name) => render(name, { caller: "key", sender: "crowd" }));
    const shared = watch(
      pool.render(async () => jobNamed("shared"), { config, caller: "key", sender: "crowd", senders }),
    );
    await settle();
    return { browsers, render, senders, crowd, shared };
  }

  test("is drawn in the first turn that one of them has", async () => {
    const { browsers, senders } = await startShared(100);
    senders.add("single");
    await settle();
    for (let drawn = 0; drawn < 3; drawn++) {
      browsers.render(`crowd${drawn}`).finish();
      await settle();
    }
    expect(browsers.names.at(-1)).toBe("shared");
  });

  test("does not lose its place for another render of one of them", async () => {
    const { browsers, render, senders, crowd, shared } = await startShared(61);
    // Its sender has one prepared, so that the shared one waits as the newest of all.
    render("own", { caller: "key", sender: "single" });
    await settle();
    senders.add("single");
    const other = render("other", { caller: "other" });
    await settle();
    browsers.finishAll();
    await Promise.all([...crowd, shared, other].map(({ done }) => done));
    expect([crowd.at(-1)?.outcome, shared.outcome, other.outcome]).toEqual(["overloaded", "done", "done"]);
  });
});
