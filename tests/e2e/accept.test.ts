import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "./service.ts";

let service: Service;

beforeAll(async () => {
  service = await startService({ SERVICE_AUTH_ENABLED: "false" });
});

afterAll(async () => {
  await service?.stop();
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
