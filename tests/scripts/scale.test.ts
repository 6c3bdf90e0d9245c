import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Autoscaler } from "#scripts/scale/autoscaler.ts";
import { dayOf, manifestScaling } from "#scripts/scale/days.ts";
import { demandAt, simulateDay } from "#scripts/scale/simulate.ts";
import { tableRow } from "#scripts/scale/table-row.ts";

const LOAD = { peak: 150, pod: 30, start: 30 };

it("the autoscaler of the manifest keeps waits short, which the queue alone does not", () => {
  const own = simulateDay(dayOf(LOAD));
  expect(own.p99).toBeLessThan(0.5);
  expect(own.refused).toBeLessThan(0.001);
  expect(own.utilisation).toBeGreaterThan(0.45);
  const queueAlone = simulateDay(dayOf(LOAD, { drawing: undefined }));
  expect(queueAlone.p99).toBeGreaterThan(2 * own.p99);
});

it("the same day gives the same result, and another seed nearly so", () => {
  const day = dayOf({ ...LOAD, peak: 60 });
  const [first, again, other] = [simulateDay(day), simulateDay(day), simulateDay({ ...day, seed: 2 })];
  expect(again).toEqual(first);
  expect(other.podHours / first.podHours).toBeCloseTo(1, 0.5);
  expect(other.pictures).not.toBe(first.pictures);
});

it("the demand is continuous but for its bursts, and ends as it begins", () => {
  expect(demandAt(10 * 3_600)).toBe(1);
  expect(demandAt(0)).toBeCloseTo(demandAt(86_399), 3);
  expect(demandAt(3 * 3_600) - demandAt(3 * 3_600 - 1)).toBeCloseTo(0.25, 2);
});

it("docs/scale.md has the figures of the manifest", () => {
  const { drawing, queue } = manifestScaling();
  const name = `busy ${drawing}, queue ${queue}: the manifest`;
  const own = simulateDay(dayOf({ peak: 1_000, pod: 30, start: 30 }));
  expect(readFileSync("docs/scale.md", "utf8").split("\n")).toContain(tableRow(name, own));
});

it("simulates the manifest, with its limits", () => {
  const day = dayOf({ ...LOAD, peak: 60 }, { maxPods: 3 });
  expect(day.scaling).toEqual({ ...manifestScaling(), maxPods: 3 });
  expect(simulateDay(day).mostPods).toBe(3);
  const { minPods, maxPods, drawing, queue } = manifestScaling();
  expect([minPods, maxPods, drawing, queue]).toEqual([2, 60, 1.4, 4]);
});

it("the autoscaler grows at once, by twice or four pods in 30 s, and shrinks by a fifth a minute, after five minutes", () => {
  const autoscaler = new Autoscaler({ ...manifestScaling(), drawing: 1, queue: undefined });
  const decide = (at: number, pods: number, drawing: number) => autoscaler.decide(at, pods, { drawing, queue: 0 });
  expect(decide(0, 10, 10.9)).toBe(10);
  expect(decide(15, 10, 35)).toBe(20);
  expect(decide(30, 20, 35)).toBe(20);
  expect(decide(60, 20, 80)).toBe(40);
  expect(decide(75, 40, 4)).toBe(40);
  expect(decide(345, 40, 4)).toBe(40);
  expect(decide(375, 40, 4)).toBe(32);
  expect(decide(390, 32, 4)).toBe(32);
  expect(decide(450, 32, 4)).toBe(26);
});
