import { afterEach, describe, expect, it, vi } from "vitest";
import { errorOf } from "../http/requests.ts";
import { send } from "./client.ts";

afterEach(() => vi.unstubAllEnvs());

/** How the start of a proof of an unknown template is answered: past the check of the origin, it is unknown. */
async function startProof(headers: Record<string, string>): Promise<string> {
  return (await errorOf(await send("POST", "proofs/no/such", { headers }))).code;
}

describe("in open mode, a proof", () => {
  it.each<Record<string, string>>([
    { origin: "https://evil.example" },
    { origin: "http://localhost.evil.example" },
    { origin: "null" },
    { origin: "" },
    { origin: "http://localhost", "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("is not started by a foreign site: %o", async (headers) => {
    expect(await startProof({ host: "localhost", ...headers })).toBe("origin_mismatch");
  });

  it.each<Record<string, string>>([
    {},
    { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" },
    { origin: "http://192.168.0.7:3000" },
  ])("is started by the service's own pages and by programs: %o", async (headers) => {
    expect(await startProof({ host: "localhost", ...headers })).toBe("unknown_template");
  });

  it("is started by pages under the names of the service", async () => {
    const own = { host: "platen.example.com", origin: "https://platen.example.com" };
    vi.stubEnv("SERVICE_HOSTS", "platen.example.com");
    expect(await startProof(own)).toBe("unknown_template");
    vi.stubEnv("SERVICE_HOSTS", "*");
    expect(await startProof(own)).toBe("unknown_template");
    expect(await startProof({ ...own, origin: "https://evil.example" })).toBe("origin_mismatch");
  });
});
