import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextRound } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { type RequestContext, runInRequestContext } from "#lib/http/server/request-context.ts";
import { RequestLines } from "#lib/http/server/request-lines.ts";
import { countUnder } from "#lib/http/server/request-metrics.ts";
import { COUNTED_PATHS, PATHS } from "#lib/operations/paths.ts";
import { RawConnection } from "#tests/e2e/service.ts";
import { serveApplication } from "./served.ts";

beforeAll(() => countUnder(COUNTED_PATHS));

const newResponse = (url: string, complete = true) =>
  Object.assign(new EventEmitter(), {
    req: { url, socket: { destroyed: false }, headers: {}, complete },
    destroyed: false,
    end: () => undefined,
  }) as unknown as ServerResponse;

/** Requests of one address in lines that hold three. @returns how each ended: begun, or the code of its error */
function ask(requests: { url: string; isDirect?: boolean }[]): Promise<string[]> {
  const lines = new RequestLines(PATHS, { waiting: 3 });
  const outcomeOf = ({ url, isDirect = false }: { url: string; isDirect?: boolean }) => {
    const response = newResponse(url);
    return lines.take("balancer", isDirect, response).then(
      () => {
        response.end();
        return "begun";
      },
      ({ code }: { code: string }) => code,
    );
  };
  return Promise.all(requests.map(outcomeOf));
}

const renders = Array.from({ length: 10 }, () => ({ url: PATHS.render, isDirect: true }));
const pages = Array.from({ length: 10 }, () => ({ url: "/templates" }));

it.each([
  ["renders", PATHS.health, renders],
  ["renders", PATHS.readiness, renders],
  ["pages", PATHS.health, pages],
  ["pages", PATHS.readiness, pages],
])("more %s than may wait refuse no %s of the same address", async (_name, probe, flood) => {
  const outcomes = await ask([...flood, { url: probe }]);
  expect(outcomes).toContain("overloaded");
  expect(outcomes.at(-1)).toBe("begun");
});

it("more pages than may wait refuse no render and no login", async () => {
  const outcomes = await ask([...pages, { url: PATHS.render, isDirect: true }, { url: `${PATHS.login}/` }]);
  expect(outcomes.slice(-2)).toEqual(["begun", "begun"]);
});

it("renders and pages wait while connections arrive, probes and logins do not", async () => {
  const lines = new RequestLines(PATHS);
  const begun: string[] = [];
  const requests = [PATHS.render, "/templates", PATHS.health, PATHS.readiness, PATHS.login];
  lines.noteConnection();
  for (const url of requests) void lines.take("a", url === PATHS.render, newResponse(url)).then(() => begun.push(url));
  for (let round = 0; round < 5; round++) {
    lines.noteConnection();
    await nextRound();
  }
  expect(begun.toSorted()).toEqual([PATHS.health, PATHS.login, PATHS.readiness].toSorted());
  for (let round = 0; round < 5; round++) await nextRound();
  expect(begun.toSorted()).toEqual(requests.toSorted());
});

it("what is refused before it reaches the application waits for its turn, and is not sent to a client that has gone", async () => {
  const waiting: ((isThere: boolean) => void)[] = [];
  const takeTurn = () => new Promise<boolean>((resolve) => waiting.push(resolve));
  const { server, connection } = await serveApplication(async (_request, response) => void response.end("passed"), {
    takeTurn,
  });
  connection.send("PUT /page HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => waiting.length).toBe(1);
  const other = new RawConnection((server.address() as AddressInfo).port);
  other.send("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => other.text).toContain("passed");
  other.send("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => waiting.length).toBe(2);
  expect(connection.text).toBe("");
  waiting[1]?.(false);
  waiting[0]?.(true);
  await expect.poll(() => connection.text).toContain("HTTP/1.1 405 ");
  expect(other.text).not.toContain("HTTP/1.1 400 ");
  other.socket.destroy();
  connection.socket.destroy();
});

it.each([
  ["another turn once its body has arrived", PATHS.explain, false],
  ["another turn once its body has arrived", PATHS.login, false],
  ["no other turn when its body is there", PATHS.explain, true],
])("a request gets %s: %s", async (_what, url, complete) => {
  const lines = new RequestLines(PATHS);
  const context: RequestContext = { requestId: "x", method: "POST" };
  const response = newResponse(url, complete);
  expect(await runInRequestContext(context, () => lines.take("a", false, response))).toBe(true);
  expect(await context.turnAfterBody?.()).toBe(complete ? undefined : true);
});
