import { describe, expect, it } from "vitest";
import { idleReason } from "../../app/(access)/tokens/idle.ts";
import { joinEnds } from "../../app/(access)/tokens/listed-tokens.ts";
import { findTokens, packUsage, type UsedToken, unpackUsage } from "../../app/(access)/tokens/token-usage.ts";
import { countRenders } from "../../app/(access)/tokens/usage-chart.tsx";

function token(name: string, tokenPrefix: string): UsedToken {
  return { id: name, name, tokenPrefix, createdAt: "", lastUsedAt: null, revokedAt: null, usage: null, idle: null };
}

describe("the usage of a token", () => {
  it("is unchanged after packing and unpacking, across the end of a month and a leap day", () => {
    const days = ["2028-02-28", "2028-02-29", "2028-03-01"].map((day, at) => ({ day, renders: at }));
    const usage = { days, total: 3 };
    expect(unpackUsage(packUsage(usage))).toEqual(usage);
    expect(packUsage(usage)).toEqual({ firstDay: "2028-02-28", renders: [0, 1, 2], total: 3 });
  });

  it("is counted in words", () => {
    expect([0, 1, 1204].map(countRenders)).toEqual(["0 renders", "1 render", "1,204 renders"]);
  });
});

describe("a token that is not in use", () => {
  const now = new Date("2026-03-01T12:00:00.000Z");
  const ago = (days: number) => new Date(now.getTime() - days * 24 * 3_600_000).toISOString();
  const reason = (created: number, used: number | null, revoked: number | null = null) => {
    const times = { createdAt: ago(created), lastUsedAt: used === null ? null : ago(used) };
    return idleReason({ ...times, revokedAt: revoked === null ? null : ago(revoked) }, now);
  };

  it("was never used in a week, or not for 90 days, and is not revoked", () => {
    expect([reason(6.9, null), reason(7, null), reason(400, null)]).toEqual([null, "Never used", "Never used"]);
    expect([reason(400, 89.9), reason(400, 90)]).toEqual([null, "Not used for 90 days"]);
    expect(reason(400, 143.5)).toBe("Not used for 143 days");
    expect([reason(400, null, 1), reason(400, 200, 1)]).toEqual([null, null]);
  });
});

describe("a page of tokens", () => {
  const live = Array.from({ length: 5_000 }, (_, at) => token(`live ${at}`, "svc_"));
  /** What a page lists that asks for two from each end. */
  const listed = (all: UsedToken[]) => {
    const { active, hiddenCount } = joinEnds({
      newest: all.slice(0, 2),
      oldest: all.toReversed().slice(0, 2),
      total: all.length,
    });
    return { names: active.map(({ name }) => name), hiddenCount };
  };

  it("has all tokens of a user with few, each once", () => {
    expect(listed(live.slice(0, 1))).toEqual({ names: ["live 0"], hiddenCount: 0 });
    expect(listed(live.slice(0, 3))).toEqual({ names: ["live 0", "live 1", "live 2"], hiddenCount: 0 });
    expect(listed(live.slice(0, 4))).toEqual({ names: ["live 0", "live 1", "live 2", "live 3"], hiddenCount: 0 });
  });

  it("has the newest and the oldest active tokens of a user with thousands", () => {
    expect(listed(live)).toEqual({ names: ["live 0", "live 1", "live 4998", "live 4999"], hiddenCount: 4_996 });
  });
});

describe("the search for a token", () => {
  const tokens = [token("Newsletter", "svc_AbCdEfGh"), token("Build", "svc_ZyXwVuTs")];
  const found = (text: string) => findTokens(tokens, text).map(({ name }) => name);

  it("finds by a part of the name or the prefix, ignoring case; an empty search finds all", () => {
    expect(found(" LETTER ")).toEqual(["Newsletter"]);
    expect(found("zyxw")).toEqual(["Build"]);
    expect(found("")).toEqual(["Newsletter", "Build"]);
    expect(found("svc_nothing")).toEqual([]);
  });

  it("finds a token by its complete secret", () => {
    expect(found("svc_ZyXwVuTs0123456789abcdef")).toEqual(["Build"]);
  });
});
