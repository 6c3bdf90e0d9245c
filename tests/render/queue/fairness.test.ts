import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { limitDecodings } from "#lib/images/decoding-turns.ts";
import { configWith, jobNamed, many, settle, startPool, watch } from "./fake-browsers.ts";

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

test("callers are served in turn, each in the order of its requests", async () => {
  const { browsers, render } = await startPool();
  const all = ["a", "b", "c"].flatMap((caller) => many(3, caller).map((name) => render(name, { caller })));
  browsers.finishAll();
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
    return watch(pool.render(() => limitDecodings(decode), { config, caller }));
  };
  const all = ["crowd", "crowd", "crowd", "crowd", "single"].map(draw);
  browsers.finishAll();
  await Promise.all(all.map(({ done }) => done));
  expect(begun.indexOf("single")).toBe(2);
});
