import { afterEach, describe, expect, test, vi } from "vitest";
import type { AppError } from "#lib/errors.ts";
import { RetryEstimate } from "#lib/render/queue/retry-estimate.ts";
import { configWith, many, settle, startPool } from "./fake-browsers.ts";

afterEach(() => void vi.useRealTimers());

describe("Retry-After", () => {
  async function retryAfter(size: number): Promise<string | undefined> {
    const { render } = await startPool({ size, config: configWith({ queueLimit: 63 }) });
    const asked = many(64 + size, "r").map((name) => render(name));
    const last = asked.at(-1) ?? expect.fail();
    await last.done;
    expect(last.outcome).toBe("overloaded");
    return (last.error as AppError).headers["Retry-After"];
  }

  test("is the time that the browsers need together for the renders that wait, and this one", async () => {
    // 64 renders of 100 ms, until one was timed.
    expect([await retryAfter(1), await retryAfter(2), await retryAfter(4)]).toEqual(["7", "4", "2"]);
  });

  test("grows with the time that browsers took for renders", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { browsers, render } = await startPool({ config: configWith({ queueLimit: 0 }) });
    for (const name of many(3, "slow")) {
      const slow = render(name);
      await settle();
      vi.advanceTimersByTime(60_000);
      browsers.render(name).finish();
      await slow.done;
      await settle();
    }
    render("running");
    await settle();
    const refused = render("refused");
    await refused.done;
    // 0.1 + 0.1 × (60 - 0.1) after the first, and so on.
    expect(refused.error).toMatchObject({ headers: { "Retry-After": "17" } });
  });

  test("follows what renders take, is at least a second and at most a minute", () => {
    const secondsOf = (estimate: RetryEstimate, waiting: number) =>
      [estimate.refuse(waiting), estimate.displace(waiting)].map(({ headers }) => headers["Retry-After"]);
    const estimate = new RetryEstimate(2);
    expect(secondsOf(estimate, 0)).toEqual(["1", "1"]);
    estimate.note(1_100);
    expect(secondsOf(estimate, 9)).toEqual(["1", "1"]);
    expect(secondsOf(estimate, 10)).toEqual(["2", "2"]);
    for (let count = 0; count < 200; count++) estimate.note(1_000);
    expect(secondsOf(estimate, 9)).toEqual(["5", "5"]);
    expect(secondsOf(estimate, 1_000)).toEqual(["60", "60"]);
  });
});
