import { once } from "node:events";
import { createServer, request as requestHttp, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import "#scripts/dev/peer.ts";

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => response.end(request.url));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.close();
  await once(server, "close");
});

/** The path that Next would see. */
async function seenPath(path: string, headers: Record<string, string> = {}): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const request = requestHttp({ host: "127.0.0.1", port, path, headers, agent: false }).end();
  const [response] = await once(request, "response");
  return await text(response);
}

const EDITOR = "/__nextjs_launch-editor?file=app/page.tsx";
const TOOLS = [EDITOR, "/__nextjs_source-map", "/_next/mcp", "/x/../__nextjs_source-map", "/x\\__nextjs_source-map"];

test("the tools of Next are there for this machine", async () => {
  for (const host of ["localhost:3000", "platen.localhost", "127.0.0.1:3000", "[::1]:3000"])
    expect(await seenPath(EDITOR, { host })).toBe(EDITOR);
});

test.each([
  ["a site whose name resolves to this machine", { host: "example.com:3000" }],
  ["a name that only begins like this machine's", { host: "localhost.example.com" }],
  ["another machine, through a proxy of this one", { host: "localhost:3000", "x-forwarded-for": "192.0.2.7" }],
])("the tools of Next are not there for %s", async (_, headers) => {
  for (const tool of TOOLS) expect(await seenPath(tool, headers)).toBe("/api/nothing");
  for (const path of ["/", "/_next/static/chunks/main.js", "/templates/x?next=/__nextjs_source-map"])
    expect(await seenPath(path, headers)).toBe(path);
});
