import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RENDER_BODY_LIMIT_BYTES } from "#lib/http/http-limits.ts";
import { drawTitle, postRender } from "#tests/e2e/answers.ts";
import { RawConnection, type Service, startService } from "#tests/e2e/service.ts";
import { browsersOf } from "./browsers.ts";

let service: Service;

beforeAll(async () => {
  service = await startService({ SERVICE_RENDER_WORKERS: "2" });
  await drawTitle(service, "before");
});

afterAll(async () => {
  await service?.stop();
});

/** Runs four clients, each with `count` pictures one after the other. @returns how often each status occurred */
async function load(name: string, count: number): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const client = async (number: number) => {
    for (let at = 0; at < count; at++) {
      const status = await drawTitle(service, `${name} ${number} ${at}`);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all([1, 2, 3, 4].map(client));
  return statuses;
}

describe("while pictures are drawn", () => {
  it("killing a browser each second costs no request", async () => {
    let ended = false;
    const loaded = load("killed", 60).finally(() => {
      ended = true;
    });
    let kills = 0;
    while (!ended) {
      const browsers = browsersOf(service.npm.pid as number);
      const victim = browsers[kills % browsers.length];
      if (victim !== undefined) {
        process.kill(victim, "SIGKILL");
        kills++;
      }
      await sleep(1_000);
    }
    expect(kills).toBeGreaterThan(3);
    expect(await loaded).toEqual({ 200: 240 });
  });

  it("200 bodies that stall keep no place in the queue", async () => {
    const head = `POST /api/service/images/render HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
    const stalled = Array.from({ length: 200 }, () => new RawConnection(service.port).send(head));
    try {
      expect(await load("stalled", 5)).toEqual({ 200: 20 });
    } finally {
      for (const { socket } of stalled) socket.destroy();
    }
  });

  it("60 of the largest bodies at once are drawn, or refused with the time to come back", async () => {
    const text = "x".repeat(RENDER_BODY_LIMIT_BYTES - 200);
    const body = JSON.stringify({ template: "blog/article", data: { title: text } });
    const large = Array.from({ length: 60 }, async () => {
      const response = await postRender(service, body);
      await response.arrayBuffer();
      return response.status === 503 ? Number(response.headers.get("retry-after")) > 0 : response.status === 422;
    });
    expect((await Promise.all(large)).every(Boolean)).toBe(true);
    expect(await load("large", 3)).toEqual({ 200: 12 });
  });
});
