import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startBalancer } from "#tests/postgres/balancer.ts";

/** A server that has the scripts of one version, and its own answer at every other path. */
async function startVersion(version: string): Promise<number> {
  const server = createServer(({ url = "" }, response) => {
    const isAbsent = url.startsWith("/_next/static/") && url !== `/_next/static/${version}.js`;
    response.writeHead(isAbsent ? 404 : 200).end(isAbsent ? "absent" : version);
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

it("nginx finds a script on the one server that has it, while servers of two versions run", async () => {
  const ports = await Promise.all(["old", "new", "old", "old"].map(startVersion));
  const nginx = await startBalancer(ports);
  onTestFinished(() => nginx.remove());
  const ask = (path: string) => nginx.client.ask("GET", path);
  // One after the other: nginx begins with another server each time.
  for (let round = 0; round < ports.length; round++) {
    expect((await ask("/_next/static/new.js")).text).toBe("new");
    expect((await ask("/_next/static/old.js")).text).toBe("old");
  }
  expect((await ask("/_next/static/other.js")).status).toBe(404);
  // Nothing else is asked for twice, and no server counts as broken.
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask("/api/service/account")));
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(["old", "new"]));
});
