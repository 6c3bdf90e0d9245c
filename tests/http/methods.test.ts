import { describe, expect, it } from "vitest";
import { z } from "zod";
import { anyone } from "#lib/http/identity/auth.ts";
import { methods } from "#lib/http/route/methods.ts";
import { route } from "#lib/http/route/route.ts";
import { greet } from "./greeting.ts";
import { ask, errorOf, postRequest } from "./requests.ts";

describe("methods", () => {
  const write = methods({ POST: greet });
  const read = methods({
    GET: route({ auth: anyone, returns: z.object({ a: z.number() }), handle: () => ({ a: 1 }) }),
  });

  it("answer 405 with Allow where nothing is declared, OPTIONS too and without CORS", async () => {
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      const response = await ask(write[method], new Request("http://localhost/", { method }));
      expect(response.headers.get("allow")).toBe("POST");
      expect((await errorOf(response)).code).toBe("method_not_allowed");
    }
    const response = await ask(read.POST, postRequest());
    expect(response.headers.get("allow")).toBe("GET, HEAD");
  });

  it("answer HEAD with the headers of GET and no body", async () => {
    const response = await ask(read.HEAD, new Request("http://localhost/", { method: "HEAD" }));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("7");
    expect(await response.text()).toBe("");
  });
});
