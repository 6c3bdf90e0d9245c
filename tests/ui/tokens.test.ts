import { describe, expect, it } from "vitest";
import { idleReason } from "../../app/(access)/tokens/idle.ts";
import { listTokens } from "../../app/(access)/tokens/listed-tokens.ts";
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
  const live = (count: number) => Array.from({ length: count }, (_, at) => token(`live ${at}`, "svc_"));
  const revoked = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...token(`revoked ${at}`, "svc_"), revokedAt: "2026-03-01" }));

  it("has all tokens of a user with few", () => {
    const [active, ended] = [live(4), revoked(3)];
    const wanted = { active, hiddenCount: 0, revoked: { tokens: ended, total: 3 } };
    expect(listTokens([...active, ...ended], 4)).toEqual(wanted);
  });

  it("has the newest and the oldest active tokens, and the newest revoked ones, of a user with thousands", () => {
    const { active, hiddenCount, revoked: ended } = listTokens([...live(5_000), ...revoked(20_000)], 4);
    expect(active.map(({ name }) => name)).toEqual(["live 0", "live 1", "live 4998", "live 4999"]);
    expect(hiddenCount).toBe(4_996);
    expect(ended.total).toBe(20_000);
    expect(ended.tokens.map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, at) => `revoked ${at}`));
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
