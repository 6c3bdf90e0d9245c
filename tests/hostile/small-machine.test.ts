import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RENDER_BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { drawTitle, fetchedCode, postRender } from "#tests/e2e/answers.ts";
import { type Service, startService } from "#tests/e2e/service.ts";
import { serverOf } from "./browsers.ts";

const LIMIT_BYTES = 512 * 1024 * 1024;
const BODIES = 60;

let service: Service;

beforeAll(async () => {
  // Node reads the limit of a container itself, and gives its heap half of it.
  const options = [`--import=${join(import.meta.dirname, "programs/small-machine.ts")}`, "--max-old-space-size=256"];
  service = await startService({ LIMIT_BYTES: String(LIMIT_BYTES), NODE_OPTIONS: options.join(" ") });
  expect(await drawTitle(service, "before")).toBe(200);
});

afterAll(async () => {
  await service?.stop();
});

/** The most memory that a process has had at once since {@link forgetPeak}, as the kernel counted it. */
function peakBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

/** Makes the memory that a process has now its peak; proc_pid_clear_refs(5). */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

it("60 of the largest bodies at once are read or refused, and cost a server with 512 MB less than half of it", async () => {
  const server = serverOf(service.npm.pid as number);
  forgetPeak(server);
  const before = peakBytes(server);
  const text = "x".repeat(RENDER_BODY_LIMIT_BYTES - 200);
  const body = JSON.stringify({ template: "blog/article", data: { title: text } });
  const codes = await Promise.all(
    Array.from({ length: BODIES }, async () => {
      const response = await postRender(service, body);
      if (response.status === 503) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      return await fetchedCode(response);
    }),
  );
  // A body that is read has a title that is far too long.
  expect([...new Set(codes)].toSorted()).toEqual(["invalid_data", "overloaded"]);
  expect(peakBytes(server) - before).toBeLessThan(LIMIT_BYTES / 2);
  expect(service.npm.exitCode).toBeNull();
  expect(await drawTitle(service, "after")).toBe(200);
});
