import { expect, it } from "vitest";
import { newRequestId } from "#lib/http/server/request-context.ts";

it("ids of requests are UUIDs of version 7, all different, and name their time", () => {
  const from = Date.now();
  const ids = Array.from({ length: 2_000 }, newRequestId);
  expect(new Set(ids.map((id) => id.slice(14))).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const time = Number.parseInt(id.replace("-", "").slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(from);
    expect(time).toBeLessThanOrEqual(Date.now());
  }
});
