import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { limitDecodings } from "#lib/images/image-turns.ts";
import { configWith, jobNamed, many, settle, startPool, watch } from "./fake-browsers.ts";

afterEach(() => void vi.useRealTimers());

describe("a caller with sixty waiting renders", () => {
  test("delays another caller's only render by no more than one of its own for each browser", async () => {
    const { browsers, render } = await startPool({ size: 2 });
    for (const name of many(60, "crowd")) render(name, { caller: "crowd" });
    await settle();
    const single = render("single", { caller: "single" });
    await settle();
    expect(browsers.names).toEqual(["crowd0", "crowd1"]);
    for (const name of ["crowd0", "crowd1"]) {
      browsers.render(name).finish();
      await settle();
    }
    expect(browsers.names).toContain("single");
    browsers.finishAll();
    await single.done;
    expect(single.outcome).toBe("done");
  });

  test("has no more of them prepared than one for each browser and one ahead", async () => {
    const { pool, browsers, config } = await startPool({ size: 2, config: configWith({ queueLimit: 100 }) });
    let prepared = 0;
    const prepare = async () => {
      prepared++;
      return jobNamed("any");
    };
    const crowd = Array.from({ length: 60 }, () => watch(pool.render(prepare, { config, caller: "crowd" })));
    await settle();
    // Two are being rendered, three are ready.
    expect([browsers.begun.length, prepared]).toEqual([2, 5]);
    browsers.finishAll();
    await Promise.all(crowd.map(({ done }) => done));
    expect(prepared).toBe(60);
  });
});

test("callers whose renders take as long are served in turn, each in the order of its requests", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { browsers, render } = await startPool();
  const all = ["a", "b", "c"].flatMap((caller) => many(3, caller).map((name) => render(name, { caller })));
  browsers.onRender = ({ finish }) => {
    vi.advanceTimersByTime(10);
    finish();
  };
  await settle();
  vi.advanceTimersByTime(10);
  browsers.render("a0").finish();
  await Promise.all(all.map(({ done }) => done));
  expect(browsers.names).toEqual(["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]);
});

test("a caller whose turn has come and gone takes the last one again", async () => {
  const { browsers, pool, config, render } = await startPool();
  render("running", { caller: "other" });
  const client = new AbortController();
  const stopped = Promise.withResolvers<ReturnType<typeof jobNamed>>();
  const abandoned = watch(pool.render(() => stopped.promise, { config, caller: "a", signal: client.signal }));
  client.abort(new Error("gone"));
  await abandoned.done;
  stopped.resolve(jobNamed("abandoned"));
  await settle();
  const all = ["b", "c", "a"].map((caller) => render(caller, { caller }));
  await settle();
  browsers.finishAll();
  await Promise.all(all.map(({ done }) => done));
  expect(browsers.names).toEqual(["running", "b", "c", "a"]);
});

test("a caller's image is decoded before the waiting images of a caller with many", async () => {
  const { browsers, pool, config } = await startPool({ size: 3, config: configWith({ queueLimit: 100 }) });
  const begun: string[] = [];
  const draw = (caller: string) => {
    const decode = async () => {
      begun.push(caller);
      await sleep(20);
      return jobNamed(caller);
    };
    return watch(pool.render(() => limitDecodings(decode, { pixels: 1e6 }), { config, caller }));
  };
  const all = ["crowd", "crowd", "crowd", "crowd", "single"].map(draw);
  browsers.finishAll();
  await Promise.all(all.map(({ done }) => done));
  expect(begun.indexOf("single")).toBe(2);
});

/** A render whose document is ready at once and shows an image of so many pixels. */
function withImage(name: string, pixels: number) {
  return async () => {
    await limitDecodings(async () => undefined, { pixels });
    return jobNamed(name);
  };
}

test("a render passes those of other callers that take longer", async () => {
  const { browsers, pool, config, render } = await startPool();
  const all = many(5, "large").map((name) => watch(pool.render(withImage(name, 50e6), { config, caller: name })));
  await settle();
  all.push(render("text", { caller: "single" }));
  await settle();
  browsers.finishAll();
  await Promise.all(all.map(({ done }) => done));
  expect(browsers.names.slice(0, 2)).toEqual(["large0", "text"]);
});

test("a render that is larger than those of a crowd of callers gets its turn before the last of them", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { browsers, pool, config, render } = await startPool();
  // Every picture takes 20 ms.
  browsers.onRender = ({ finish }) => {
    vi.advanceTimersByTime(20);
    finish();
  };
  const large = watch(pool.render(withImage("large", 50e6), { config, caller: "large" }));
  for (let next = 0; next < 100 && large.outcome === undefined; next++) {
    void render(`${next}`, { caller: `small${next}` });
    await settle();
  }
  expect(browsers.names.at(-1)).toBe("large");
});

test("a caller whose renders took longer than was estimated waits for callers with short ones", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { browsers, render } = await startPool();
  const slow = many(3, "slow").map((name) => render(name, { caller: "slow" }));
  await settle();
  const short = many(3, "short").map((name) => render(name, { caller: "short" }));
  browsers.onRender = ({ name, finish }) => {
    vi.advanceTimersByTime(name.startsWith("slow") ? 500 : 5);
    finish();
  };
  vi.advanceTimersByTime(500);
  browsers.render("slow0").finish();
  await Promise.all([...slow, ...short].map(({ done }) => done));
  expect(browsers.names).toEqual(["slow0", "short0", "short1", "short2", "slow1", "slow2"]);
});

test("the time that a browser draws on after an abandoned render counts as its caller's", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { browsers, pool, config, render } = await startPool();
  const client = new AbortController();
  const prepare = async () => jobNamed("abandoned");
  const abandoned = watch(pool.render(prepare, { config, caller: "a", signal: client.signal }));
  await settle();
  const others = [...many(2, "a"), ...many(2, "b")].map((name) => render(name, { caller: name.slice(0, 1) }));
  const [worker] = browsers.workers;
  if (!worker) throw new Error("No browser has started.");
  worker.clean = async () => {
    vi.advanceTimersByTime(browsers.begun.length === 1 ? 100 : 5);
    return true;
  };
  client.abort(new Error("gone"));
  browsers.render("abandoned").fail(client.signal.reason);
  await abandoned.done;
  browsers.finishAll();
  await Promise.all(others.map(({ done }) => done));
  expect(browsers.names).toEqual(["abandoned", "b0", "b1", "a0", "a1"]);
});
