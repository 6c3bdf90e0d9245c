import { afterEach, describe, expect, it, vi } from "vitest";
import { bodyBudgetBytes } from "#lib/config.ts";
import { AppError } from "#lib/errors.ts";
import { type BodyShare, heldBytes } from "#lib/http/body/body-budget.ts";
import { BODY_BUDGET_RESERVE_SHARE, BODY_LIMIT_BYTES, RENDER_BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { chunkedBody, postRequest } from "../requests.ts";
import { LIMIT_BYTES, manualBody, newShare, pieces, read, refusal, releaseShares } from "./bodies.ts";

afterEach(releaseShares);

describe("the memory of all bodies together", () => {
  const LARGE_BYTES = bodyBudgetBytes() * (1 - BODY_BUDGET_RESERVE_SHARE);
  const fill = (bytes: number) => newShare().grow(bytes);

  it("follows the memory of the container, or the variable", () => {
    const budgetWith = (memoryBytes: number) => {
      using _limit = vi.spyOn(process, "constrainedMemory").mockReturnValue(memoryBytes);
      return bodyBudgetBytes();
    };
    expect([0.1e9, 0.512e9, 0.768e9, 2e9].map(budgetWith)).toEqual([32e6, 32e6, 48e6, 125e6]);
    vi.stubEnv("SERVICE_BODY_BUDGET_MB", "40");
    expect(budgetWith(2e9)).toBe(40e6);
    vi.unstubAllEnvs();
  });

  it("holds two of the largest bodies at least, so that a slow one leaves room for another", () => {
    const isAllowed = (megabytes: number) => {
      vi.stubEnv("SERVICE_BODY_BUDGET_MB", String(megabytes));
      try {
        return bodyBudgetBytes() === megabytes * 1e6;
      } catch {
        return false;
      } finally {
        vi.unstubAllEnvs();
      }
    };
    const least = Array.from({ length: 100 }, (_, megabytes) => megabytes).find(isAllowed) ?? 0;
    expect(least * 1e6 * (1 - BODY_BUDGET_RESERVE_SHARE)).toBeGreaterThanOrEqual(2 * RENDER_BODY_LIMIT_BYTES);
  });

  it("is counted from the first byte until its release, by the bytes that arrived", async () => {
    const share = newShare();
    const stalled = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(70_000)),
    });
    const headers = { "content-length": String(LIMIT_BYTES) };
    void read(postRequest({ body: stalled, headers }), share).catch(() => {});
    await vi.waitFor(() => expect(heldBytes()).toBe(70_000));
    const { body } = chunkedBody(pieces(LIMIT_BYTES));
    await read(postRequest({ body }));
    expect(heldBytes()).toBe(70_000 + LIMIT_BYTES);
    share.release();
    expect(heldBytes()).toBe(LIMIT_BYTES);
  });

  it("is refused with Retry-After at the chunk that exceeds the budget", async () => {
    fill(LARGE_BYTES - LIMIT_BYTES / 2);
    const { body, taken } = chunkedBody(pieces(LIMIT_BYTES));
    const error = await refusal(read(postRequest({ body })));
    expect(error).toMatchObject({ code: "overloaded", headers: { "Retry-After": "2", Connection: "close" } });
    expect(taken()).toBeLessThan(LIMIT_BYTES);
  });

  it("has room for small bodies when large ones have used up theirs", async () => {
    fill(LARGE_BYTES);
    const small = chunkedBody(pieces(BODY_LIMIT_BYTES));
    await expect(read(postRequest({ body: small.body }))).resolves.toHaveLength(BODY_LIMIT_BYTES);
    const large = chunkedBody(pieces(BODY_LIMIT_BYTES + 1));
    expect(await refusal(read(postRequest({ body: large.body })))).toMatchObject({ code: "overloaded" });
  });

  /** Bodies of one caller that fill the memory for large ones, and as many small ones as the rest has room for. */
  function floodBy(caller: string): { large: BodyShare[]; small: BodyShare[] } {
    const take = (bytes: number, left: number) =>
      Array.from({ length: Math.floor(left / bytes) }, () => {
        const share = newShare(caller);
        share.grow(bytes);
        return share;
      });
    const large = take(LIMIT_BYTES, LARGE_BYTES);
    return { large, small: take(BODY_LIMIT_BYTES, bodyBudgetBytes() - heldBytes()) };
  }

  it("has room for another caller's bodies when one caller has filled it, with large ones and small ones", async () => {
    const { large, small } = floodBy("flood");
    const bytes = await read(postRequest({ body: chunkedBody(pieces(LIMIT_BYTES)).body }), newShare("other"));
    expect(bytes).toHaveLength(LIMIT_BYTES);
    const [broken] = large.filter(({ signal }) => signal.aborted);
    expect(broken?.signal.reason).toMatchObject({ code: "overloaded", headers: { "Retry-After": "2" } });
    expect(() => newShare("flood").grow(LIMIT_BYTES)).toThrow(expect.objectContaining({ code: "overloaded" }));
    expect(small.length).toBeGreaterThan(0);
    expect(heldBytes()).toBeLessThanOrEqual(bodyBudgetBytes());
  });

  it("is not taken from callers with one body each, nor from a body that is kept", async () => {
    const alone = newShare("alone");
    alone.grow(LARGE_BYTES / 2);
    const kept = newShare("kept");
    kept.grow(LARGE_BYTES / 2);
    kept.keep();
    expect(() => newShare("other").grow(LIMIT_BYTES)).toThrow(expect.objectContaining({ code: "overloaded" }));
    expect([alone, kept].map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });

  it("breaks off no body where that would not make enough room", () => {
    const [large, small] = [newShare("most"), newShare("most")];
    small.grow(BODY_LIMIT_BYTES);
    large.grow(LARGE_BYTES - BODY_LIMIT_BYTES);
    expect(() => newShare("other").grow(LIMIT_BYTES)).toThrow(expect.objectContaining({ code: "overloaded" }));
    expect([large, small].map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });

  it("ends the reading of a body that has to make room, so that its client gets an answer", async () => {
    const share = newShare();
    const { body, send } = manualBody();
    const reading = refusal(read(postRequest({ body }), share));
    send(5);
    await vi.waitFor(() => expect(heldBytes()).toBe(5));
    const error = new AppError("overloaded", "The service is busy.");
    share.giveWay(error);
    expect(await reading).toBe(error);
    expect(heldBytes()).toBe(0);
  });
});
