import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { configReport } from "#lib/config-report.ts";
import { linkKeys, linksEnabled } from "#lib/link-config.ts";
import { canonicalJson } from "#lib/links/canonical-json.ts";
import { linkPath } from "#lib/links/sign-link.ts";

afterEach(() => vi.unstubAllEnvs());

describe("the test vectors in docs/links.md", () => {
  const page = readFileSync("docs/links.md", "utf8");
  const [, id = "", secret = ""] = /^Key `([^:]+):([^`]+)`/m.exec(page) ?? [];
  const vectors = [...page.matchAll(/^\| `(\{.*\})` \| `([\w-]{43})` \| `([\w-]+)` \|$/gm)].map(
    ([, json = "", signature = "", payload = ""]) => ({ json, signature, payload }),
  );

  test.each(vectors)("$json is signed as the table says", ({ json, signature, payload }) => {
    expect(canonicalJson(JSON.parse(json))).toBe(json);
    expect(linkPath(JSON.parse(json), { id, secret })).toBe(`/api/service/links/${id}/${signature}/${payload}.png`);
  });

  test("are there", () => expect(vectors.length).toBeGreaterThan(3));
});

test("canonical JSON sorts keys by UTF-16 code units, also those that look like numbers", () => {
  const text = '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7,"10":8,"9":9}';
  expect(Object.values(JSON.parse(canonicalJson(Object.entries(JSON.parse(text)))))).toHaveLength(9);
  expect([...canonicalJson(JSON.parse(text)).matchAll(/:(\d)/g)].map(([, value]) => value).join("")).toBe("248967153");
});

describe("SERVICE_LINK_KEYS", () => {
  const secret = "Zq9_".repeat(8);

  test("names keys in order, whose secrets may have a colon", () => {
    vi.stubEnv("SERVICE_LINK_KEYS", `new:${secret}:x, old-1:${secret}`);
    expect(linkKeys()).toEqual([
      { id: "new", secret: `${secret}:x` },
      { id: "old-1", secret },
    ]);
    expect(configReport().fatal).toEqual([]);
  });

  test("switches links off where it is unset or empty", () => {
    vi.stubEnv("SERVICE_LINK_KEYS", "");
    expect([linksEnabled(), linkKeys()]).toEqual([false, []]);
  });

  test.each([
    ["without a colon", secret, "no colon"],
    ["with a short secret", `web:${secret.slice(1)}`, "a secret of 31 characters"],
    ["with another id", `Web:${secret}`, "an id of another form"],
    ["with the secret first", `${secret}:web`, "an id of another form"],
    ["with a blank in the secret", `web:${secret} x`, "other characters"],
    ["with a letter that is not ASCII", `web:${secret}ü`, "other characters"],
    ["with an empty entry", `web:${secret},`, "no colon in key 2 of 2"],
    ["with the same id twice", `web:${secret},web:${secret}x`, "same id"],
  ])("%s is refused, without its secret", (_name, value, reason) => {
    vi.stubEnv("SERVICE_LINK_KEYS", value);
    const [fault, ...others] = configReport().fatal;
    expect([fault?.variable, others]).toEqual(["SERVICE_LINK_KEYS", []]);
    expect(fault?.message).toMatch(/^got .+, want /);
    expect(fault?.message).toContain(reason);
    expect(fault?.message).not.toContain("Zq9_");
    expect(() => linkKeys()).toThrow(reason);
  });
});
