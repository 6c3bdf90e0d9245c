import { describe, expect, it } from "vitest";
import { FairClock } from "#lib/fair-clock.ts";

describe("the end of work by the fair clock", () => {
  it("follows the caller's earlier work", () => {
    const clock = new FairClock();
    expect([clock.enter("a", 10), clock.enter("a", 5), clock.enter("b", 7)].map(({ endsAt }) => endsAt)).toEqual([
      10, 15, 7,
    ]);
  });

  it("moves by what earlier work of the caller took more or less than estimated", () => {
    const clock = new FairClock();
    const [long, next] = [clock.enter("a", 10), clock.enter("a", 5)];
    clock.end(long, 100);
    expect([next.endsAt, clock.enter("a", 1).endsAt]).toEqual([105, 106]);
    clock.end(next, 1);
    expect(clock.enter("a", 1).endsAt).toBe(103);
  });

  it("is not before now, so that a pause saves no time", () => {
    const clock = new FairClock();
    clock.end(clock.enter("a", 10), 10);
    expect(clock.enter("b", 1).endsAt).toBe(11);
  });

  it("passes as slowly as callers wait for a share", () => {
    const clock = new FairClock();
    clock.enter("b", 50);
    clock.end(clock.enter("a", 10), 10);
    expect(clock.enter("c", 1).endsAt).toBe(6);
  });

  it("is not brought forward for early work when later work of the caller is given up", () => {
    const clock = new FairClock();
    const first = clock.enter("a", 10);
    for (let i = 0; i < 3; i++) clock.end(clock.enter("a", 10), 0);
    expect([first.endsAt, clock.enter("a", 10).endsAt]).toEqual([10, 20]);
  });

  it("counts work once", () => {
    const clock = new FairClock();
    const share = clock.enter("a", 10);
    for (let i = 0; i < 2; i++) clock.end(share, 10);
    expect(clock.enter("a", 10).endsAt).toBe(20);
  });

  it("is kept for a thousand callers, of which those that have used more than their share are remembered", () => {
    const clock = new FairClock();
    const ahead = clock.enter("ahead", 5_000);
    for (let i = 0; i < 1_000; i++) clock.end(clock.enter(`idle${i}`, 1), 1);
    expect(clock.enter("ahead", 1).endsAt).toBe(ahead.endsAt + 1);
  });
});
