import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorAnswer } from "#lib/schemas/error.ts";
import type { TemplateSummary } from "#lib/schemas/template.ts";
import { expectSafeHeaders } from "../http/requests.ts";
import { nestedTemplate } from "./answers.ts";
import { type Service, startService } from "./service.ts";

let service: Service;
let template: TemplateSummary;

beforeAll(async () => {
  service = await startService({ SERVICE_AUTH_ENABLED: "false" });
  template = await nestedTemplate(service);
});

afterAll(async () => {
  await service?.stop();
});

describe("every response", () => {
  it("of a page or file has the security headers and a request id", async () => {
    const page = await fetch(service.origin);
    const html = await page.text();
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
    for (const response of [page, await fetch(service.origin + script), await fetch(`${service.origin}/nothing`)]) {
      expect(response.headers.get("x-request-id")).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.has("x-powered-by")).toBe(false);
    }
    expect(html).toContain(template.title);
    expect(html.trimEnd().endsWith("</html>")).toBe(true);
  });

  it("turns search engines away", async () => {
    expect(await (await fetch(`${service.origin}/robots.txt`)).text()).toBe("User-agent: *\nDisallow: /\n");
    for (const path of ["/", "/docs", "/templates/social/quote"])
      expect(await (await fetch(service.origin + path)).text(), path).toContain(
        '<meta name="robots" content="noindex, nofollow"',
      );
    expect((await fetch(`${service.origin}/api/service/templates`)).headers.get("x-robots-tag")).toBe("noindex");
  });

  it("of a page that is not there is complete without scripts, is compressed and names its fonts", async () => {
    for (const [path, heading] of [
      ["/nothing", "Page not found"],
      ["/docs/nothing", "Page not found"],
      ["/account", "Page not found"],
      ["/templates/no/such", "Template not found"],
    ] as const) {
      const response = await fetch(service.origin + path, { headers: { "accept-encoding": "br" } });
      const { headers } = response;
      expect([path, response.status, headers.get("content-encoding")]).toEqual([path, 404, "br"]);
      expect(headers.get("link"), path).toMatch(/\.woff2>; rel=preload; as="font".*\.woff2>; rel=preload/);
      const html = await response.text();
      expect(html, path).toMatch(new RegExp(`<h1[^>]*>${heading}</h1>`));
      expect(html, path).toContain("<title>Page not found · Platen</title>");
      expect(html, path).toContain('<link rel="stylesheet"');
    }
  });

  it("of a page has the policy of pages, even where its address resembles a route", async () => {
    for (const path of [
      "/nothing",
      "/healthz-x",
      "/readyz.txt",
      "/healthz/x",
      "/apis",
      "/API/x",
      "/Healthz",
      "/robots.TXT",
    ]) {
      const response = await fetch(service.origin + path);
      expect(response.status, path).toBe(404);
      expect(response.headers.get("content-security-policy"), path).toContain("script-src 'self'");
    }
  });

  it("of a page allows only the scripts with its nonce", async () => {
    const seen = new Set<string>();
    for (const path of ["/", "/docs", "/templates/no/such", "/nothing"]) {
      const headers = { "content-security-policy": "script-src 'nonce-Y2xpZW50'" };
      const response = await fetch(service.origin + path, { headers });
      const policy = response.headers.get("content-security-policy") ?? "";
      const nonce = /script-src 'self' 'nonce-([\w+/]{22}==)';/.exec(policy)?.[1];
      const scripts = (await response.text()).match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.length, path).toBeGreaterThan(1);
      expect(
        scripts.filter((script) => !script.includes(` nonce="${nonce}"`)),
        path,
      ).toEqual([]);
      seen.add(String(nonce));
    }
    expect(seen.size).toBe(4);
  });

  it("of a probe needs no credentials", async () => {
    // A service on a busy machine is not ready at once.
    await expect.poll(async () => (await fetch(`${service.origin}/readyz`)).status).toBe(200);
    for (const path of ["/healthz", "/readyz"]) {
      const response = await fetch(service.origin + path);
      expectSafeHeaders(response);
      expect(await response.json()).toEqual({ status: "ok" });
    }
  });

  it("is logged once, as one line of JSON without query or body", async () => {
    const { headers } = await fetch(`${service.origin}/healthz?token=svc_hidden`, {
      headers: { authorization: "Bearer svc_hidden" },
    });
    const requestId = headers.get("x-request-id") ?? expect.fail("no request id");
    const lines = () =>
      service
        .output()
        .split("\n")
        .filter((line) => line.includes(requestId));
    await expect.poll(lines).toHaveLength(1);
    expect(JSON.parse(lines()[0] ?? "")).toMatchObject({ method: "GET", path: "/healthz", status: 200 });
    expect(service.output()).not.toContain("svc_hidden");
  });
});

describe("what a client accepts", () => {
  const ask = (accept: string, headers: Record<string, string> = {}) =>
    fetch(`${service.origin}/docs/errors`, { headers: { accept, ...headers }, redirect: "manual" });

  /** Processor time of the server in seconds, which does not count other processes. */
  async function serverTime(): Promise<number> {
    const metrics = await (await fetch(`${service.origin}/metrics`)).text();
    return Number(/^process_cpu_seconds_total ([\d.e-]+)$/m.exec(metrics)?.[1]);
  }

  it("does not change the response of a page", async () => {
    for (const accept of ["text/markdown", "text/markdown, text/html;q=0.9", "*/*", "application/json"]) {
      const response = await ask(accept);
      expect([accept, response.status, response.headers.get("content-type")]).toEqual([
        accept,
        200,
        "text/html; charset=utf-8",
      ]);
      expect(response.headers.get("content-security-policy")).toContain("script-src 'self'");
    }
    const part = { rsc: "1", "next-router-prefetch": "1" };
    const [plain, markdown] = await Promise.all([ask("*/*", part), ask("text/markdown", part)]);
    expect([markdown.status, markdown.headers.get("location")]).toEqual([plain.status, plain.headers.get("location")]);
  });

  it("does not cost more processor time when it is long", async () => {
    const cost = async (accept: string) => {
      const before = await serverTime();
      for (let count = 0; count < 30; count++) await (await ask(accept)).arrayBuffer();
      return (await serverTime()) - before;
    };
    await cost("*/*");
    const usual = await cost("*/*");
    const long = await cost("text/html,".repeat(1_500));
    if (process.env.SHOW_FIGURES) console.log(`usual: ${usual} s, long: ${long} s`);
    // A pattern of Next on this header once took three times as long.
    expect(long).toBeLessThan(2 * usual + 0.2);
  });
});

const INVALID_STATE = { "next-router-state-tree": "x" };

async function show(path: string, headers: Record<string, string>) {
  const response = await fetch(service.origin + path, { headers });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

describe("to headers and paths of Next's router", () => {
  it.each(["/status.rsc", "/nothing.rsc", "/.rsc", "/status.segments/_tree.segment.rsc", "/_global-error"])(
    "%s is not found, whatever the headers",
    async (path) => {
      for (const headers of [{}, INVALID_STATE, { "next-router-prefetch": "1" }, { rsc: "1", ...INVALID_STATE }]) {
        const { status, text } = await show(path, headers);
        expect([status, ErrorAnswer.parse(JSON.parse(text)).error.code]).toEqual([404, "not_found"]);
      }
    },
  );

  it.each<Record<string, string>>([
    INVALID_STATE,
    { "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
    { "next-url": "%zz", "next-hmr-refresh": "1", "next-action": "x" },
    { rsc: "2", ...INVALID_STATE },
    { "x-middleware-prefetch": "1" },
  ])("%o without `rsc` gives the ordinary page", async (headers) => {
    const html = "text/html; charset=utf-8";
    expect(await show("/docs/errors", headers)).toMatchObject({ status: 200, type: html });
    expect(await show("/nothing", headers)).toMatchObject({ status: 404, type: html });
  });

  it("a client whose state is invalid gets the whole data of a page, and no error is logged", async () => {
    const before = service.output().length;
    for (const state of ["x", "%zz", '["",{"__proto__":5}]', '["",{"a":'.repeat(1_500)]) {
      const { status, type, text } = await show("/docs/errors", { rsc: "1", "next-router-state-tree": state });
      expect([status, type, text.includes("What each code means")]).toEqual([200, "text/x-component", true]);
    }
    expect(service.output().slice(before)).not.toContain('"level":"error"');
  });

  it("a client with a valid state gets what this state lacks", async () => {
    const state = encodeURIComponent(JSON.stringify(["", {}, null, "metadata-only"]));
    const { status, type, text } = await show("/docs/errors", { rsc: "1", "next-router-state-tree": state });
    expect([status, type, text.includes("Errors and warnings")]).toEqual([200, "text/x-component", true]);
    expect(text).not.toContain("What each code means");
  });
});
