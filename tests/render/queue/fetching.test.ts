import { describe, expect, test } from "vitest";
import { abortable } from "#lib/abortable.ts";
import type { RenderOptions } from "#lib/render/queue/render-task.ts";
import { fetchesImages } from "#lib/templates/images/fetches-images.ts";
import type { Template } from "#lib/templates/template.ts";
import { configWith, jobNamed, settle, startPool, watch } from "./fake-browsers.ts";

const NEVER = new Promise<never>(() => undefined);

/** A pool with 60 renders of one caller, whose images do not arrive. */
async function startHanging(sender?: string) {
  const started = await startPool({ config: configWith({ queueLimit: 100 }) });
  const { pool, config } = started;
  const end = new AbortController();
  const { signal } = end;
  let prepared = 0;
  const hang = () => {
    prepared++;
    return abortable(NEVER, signal);
  };
  const fetching = (prepare = hang) =>
    watch(pool.render(prepare, { config, signal, caller: "app", sender, fetches: true }));
  const hanging = Array.from({ length: 60 }, () => fetching());
  await settle();
  const stop = async () => {
    end.abort();
    await Promise.all(hanging.map(({ done }) => done));
  };
  return { ...started, prepared: () => prepared, fetching, stop };
}

describe("renders whose images do not arrive", () => {
  test.each<[string, RenderOptions]>([
    ["of their caller", { caller: "app" }],
    ["of their sender", { caller: "app", sender: "crowd" }],
  ])("delay no render %s that fetches none", async (_, asked) => {
    const { browsers, render, stop } = await startHanging(asked.sender);
    browsers.finishAll();
    const texts = ["a", "b", "c", "d", "e"].map((name) => render(name, asked));
    await settle();
    await Promise.all(texts.map(({ done }) => done));
    expect(texts.map(({ outcome }) => outcome)).toEqual(Array(5).fill("done"));
    await stop();
  });

  test("are prepared one for each browser and one ahead, because of the memory that images take", async () => {
    const { prepared, stop } = await startHanging();
    expect(prepared()).toBe(2);
    await stop();
  });
});

test("renders that fetch images are drawn beside many that fetch none", async () => {
  const { browsers, pool, config, render } = await startPool({ config: configWith({ queueLimit: 100 }) });
  for (let index = 0; index < 60; index++) render(`text${index}`, { caller: "app" });
  await settle();
  const fetched = watch(pool.render(async () => jobNamed("fetched"), { config, caller: "app", fetches: true }));
  await settle();
  for (let drawn = 0; drawn < 4; drawn++) {
    browsers.begun.at(-1)?.finish();
    await settle();
  }
  expect(browsers.names).toContain("fetched");
  browsers.finishAll();
  await fetched.done;
});

test("of a list, no more items are looked through than its template shows", () => {
  const looked: number[] = [];
  const items = Array.from({ length: 1_000 }, (_, index) => ({
    get photo() {
      looked.push(index);
      return "data:image/png;base64,";
    },
  }));
  const fields = {
    people: { type: "list", max: 3, item: { photo: { type: "image" } } },
  } as unknown as Template["fields"];
  expect(fetchesImages(fields, { people: items })).toBe(false);
  expect(new Set(looked)).toEqual(new Set([0, 1, 2]));
});
