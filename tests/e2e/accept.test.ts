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

  /** Seconds of processor time that the server has had: what other processes take meanwhile is not its doing. */
  async function serverTime(): Promise<number> {
    const metrics = await (await fetch(`${service.origin}/metrics`)).text();
    return Number(/^process_cpu_seconds_total ([\d.e-]+)$/m.exec(metrics)?.[1]);
  }

  it("makes no other answer of the address of a page", async () => {
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

  it("costs no more the longer it is", async () => {
    const cost = async (accept: string) => {
      const before = await serverTime();
      for (let count = 0; count < 30; count++) await (await ask(accept)).arrayBuffer();
      return (await serverTime()) - before;
    };
    await cost("*/*");
    const usual = await cost("*/*");
    const long = await cost("text/html,".repeat(1_500));
    if (process.env.SHOW_FIGURES) console.log(`usual: ${usual} s, long: ${long} s`);
    // A pattern that Next tries on the header took three times as long.
    expect(long).toBeLessThan(2 * usual + 0.2);
  });
});
