import { afterAll, beforeAll, expect, test } from "vitest";
import { explainPicture } from "#lib/proof/explain.ts";
import { shutDown } from "#lib/render/render.ts";
import { prepareMachine } from "#tests/render/rig.ts";

beforeAll(prepareMachine);
afterAll(() => shutDown());

test("a title whose neighbours give room in vain takes its own box, and does not lie over them", async () => {
  // The names of the ranking can become smaller, but their rows do not become lower.
  const data = {
    title: "计算机《北京》音乐节《北京》。的第3届，《北京》音乐节计算机计算机，计算机音乐节第3届，，",
    measure: "第3届，，2026年。2026年音乐节音乐节2026年音乐节的音乐节第3届计算机2026年的第3届。，音乐节。计算机《北",
    source:
      "2026年计算机音乐节音乐节2026年音乐节计算机计算机的，第3届的的的音乐节计算机。计算机的2026年，《北京》。音乐节。的。。的2026年《北京》音乐节2026年2026年《北",
  };
  const asked = { template: "data/ranking", variant: "hashiru", data };
  const options = { signal: AbortSignal.timeout(60_000), caller: "test", leavesBrowser: false };
  const { explanation } = await explainPicture(asked, options);
  expect(explanation.texts.find(({ field }) => field === "title")?.text).toBe(data.title);
  expect(explanation.faults.map(({ message }) => message)).toEqual([]);
});
