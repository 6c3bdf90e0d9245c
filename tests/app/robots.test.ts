import { afterEach, describe, expect, it, vi } from "vitest";
import { allowsIndexing } from "#lib/config.ts";
import { configReport } from "#lib/config-report.ts";
import { lookAtConfiguration } from "#lib/status/configuration.ts";
import { expectSafeHeaders } from "../http/requests.ts";
import { send } from "./client.ts";

afterEach(() => vi.unstubAllEnvs());

const LINK_KEYS = "web:0123456789abcdef0123456789abcdef";

type Case = [name: string, environment: Record<string, string>, rules: string[]];

const CASES: Case[] = [
  ["by default", {}, ["Disallow: /"]],
  ["where indexing is off", { SERVICE_ALLOW_INDEXING: "false" }, ["Disallow: /"]],
  ["with a value that cannot be used", { SERVICE_ALLOW_INDEXING: "TRUE" }, ["Disallow: /"]],
  ["with accounts", { SERVICE_ALLOW_INDEXING: "true", SERVICE_AUTH_ENABLED: "true" }, ["Disallow: /"]],
  ["where indexing is on", { SERVICE_ALLOW_INDEXING: "true" }, ["Allow: /api/service/thumbnails/", "Disallow: /api/"]],
  [
    "with links, whose pictures the previews of other sites show",
    { SERVICE_LINK_KEYS: LINK_KEYS },
    ["Allow: /api/service/links/", "Disallow: /"],
  ],
];

describe("robots.txt", () => {
  it.each(CASES)("%s", async (_name, environment, rules) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const response = await send("GET", "/robots.txt");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect((await response.text()).trimEnd().split("\n")).toEqual(["User-agent: *", ...rules]);
    expectSafeHeaders(response);
  });
});

const detailOf = () => lookAtConfiguration().details?.find(({ label }) => label === "Search engines may index pages");

describe("SERVICE_ALLOW_INDEXING", () => {
  it.each(["TRUE", "1", "yes", "on"])("%s is a fault, with which the service does not start", (value) => {
    vi.stubEnv("SERVICE_ALLOW_INDEXING", value);
    const message = `got "${value}", want "true", "false"`;
    expect(configReport().fatal).toEqual([{ variable: "SERVICE_ALLOW_INDEXING", message }]);
    expect(allowsIndexing()).toBe(false);
  });

  it("is on the status page", () => {
    expect(detailOf()?.value).toBe(false);
    vi.stubEnv("SERVICE_ALLOW_INDEXING", "true");
    expect(detailOf()?.value).toBe(true);
  });
});
