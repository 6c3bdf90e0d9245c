import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { expect, it, onTestFinished, vi } from "vitest";
import { Connection } from "#lib/db/connection.ts";
import { useDatabase } from "#tests/database.ts";
import { selfSigned } from "#tests/images/tls/certificate.ts";

useDatabase();

/** Answers the request for TLS as PostgreSQL does, and hands the rest on to a PostgreSQL. */
async function serveTls(certificate: { cert: string; key: string }, target: URL): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.once("data", () => {
      socket.write("S");
      const upstream = createConnection(Number(target.port), target.hostname);
      const client = new TLSSocket(socket, { isServer: true, ...certificate });
      client.pipe(upstream).pipe(client);
      for (const end of [client, upstream]) sockets.add(end.on("error", () => undefined));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Connects to a server at `host` whose certificate names `named`, and is the one that `sslrootcert` names. */
async function connectTo({ host, named, mode }: { host: string; named: string; mode: string }) {
  const url = new URL(process.env.DATABASE_URL as string);
  const certificate = selfSigned(named);
  const dir = mkdtempSync(join(tmpdir(), "platen-certificate-"));
  writeFileSync(join(dir, "root.pem"), certificate.cert);
  const port = await serveTls(certificate, url);
  const address = `postgres://${url.username}:${url.password}@${host}:${port}${url.pathname}`;
  vi.stubEnv("DATABASE_URL", `${address}?sslmode=${mode}&sslrootcert=${join(dir, "root.pem")}`);
  onTestFinished(() => {
    vi.stubEnv("DATABASE_URL", url.href);
    rmSync(dir, { recursive: true });
  });
  const connection = await Connection.open(AbortSignal.timeout(5_000), 5_000);
  onTestFinished(() => connection.close());
  return await connection.run("select 1 as one");
}

it.each([
  ["verify-full", "127.0.0.1", "127.0.0.1"],
  ["verify-full", "localhost", "localhost"],
  ["verify-ca", "127.0.0.1", "a-managed-database"],
  ["verify-ca", "localhost", "a-managed-database"],
])("with sslmode=%s, the server at %s may have a certificate for %s", async (mode, host, named) => {
  expect(await connectTo({ mode, host, named })).toEqual([{ one: 1 }]);
});

it.each([
  ["127.0.0.1", "localhost"],
  ["127.0.0.1", "127.0.0.2"],
  ["localhost", "127.0.0.1"],
])("with sslmode=verify-full, the server at %s may not have a certificate for %s", async (host, named) => {
  const connecting = connectTo({ mode: "verify-full", host, named });
  await expect(connecting).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
});
