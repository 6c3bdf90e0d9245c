import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { createCertificate, nginxConfig, replaceShipped, type ShippedNginx } from "#scripts/programs/nginx-config.ts";
import { Client } from "#tests/e2e/client.ts";
import { parseAnswer, type RawAnswer } from "#tests/e2e/service.ts";
import { freePort } from "#tests/free-port.ts";
import { startProgram } from "#tests/postgres/programs.ts";

export type TlsProxy = {
  client: Client;
  /** Opens a connection on which a test sends bytes, from an address of this machine where one is given. */
  connect(localAddress?: string): TLSSocket;
  remove(): Promise<void>;
};

export type Balancer = TlsProxy & {
  /** Sends the next requests to these ports. */
  sendTo(replicas: readonly number[]): void;
};

/** A port for a proxy, a folder with a certificate for it, and what reaches it. */
async function prepareProxy(port?: number) {
  const dir = mkdtempSync(join(tmpdir(), "platen-proxy-"));
  // As root, nginx runs its workers as another user, who needs access to the buffer folders.
  chmodSync(dir, 0o755);
  const ca = createCertificate(dir);
  const free = port ?? (await freePort());
  const client = new Client(`https://localhost:${free}`, ca);
  return {
    dir,
    port: free,
    client,
    connect: (localAddress?: string) => {
      const socket = createConnection({ port: free, host: "127.0.0.1", ...(localAddress && { localAddress }) });
      return connect({ socket, servername: "localhost", ca });
    },
    isReady: async () => (await client.ask("GET", "/readyz")).status === 200,
  };
}

type BalancerOptions = { port?: number; shipped?: ShippedNginx };

/**
 * Starts an nginx that terminates TLS and distributes requests over replicas, with the configuration that ships, on a free port unless
 * one is given.
 */
export async function startBalancer(
  replicas: readonly number[],
  { shipped, ...options }: BalancerOptions = {},
): Promise<Balancer> {
  const { dir, port, client, connect, isReady } = await prepareProxy(options.port);
  const args = ["-e", join(dir, "error.log"), "-c", join(dir, "nginx.conf")];
  const configure = (ports: readonly number[]) =>
    writeFileSync(join(dir, "nginx.conf"), nginxConfig({ dir, port, replicas: ports, shipped }));
  configure(replicas);
  const nginx = await startProgram({ command: "nginx", args, isReady, asRoot: true });
  return {
    client,
    connect,
    sendTo: (ports) => {
      configure(ports);
      // nginx starts a worker with the new configuration, and the old one ends after its requests.
      nginx.child.kill("SIGHUP");
    },
    remove: async () => {
      await nginx.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

type CaddyValues = { dir: string; port: number; replicas: readonly number[] };

/** `deploy/Caddyfile` with the values of a run: another name, ports and certificate, and no API that is open to the machine. */
function caddyConfig({ dir, port, replicas }: CaddyValues): string {
  const file = "deploy/Caddyfile";
  return replaceShipped(file, readFileSync(file, "utf8"), {
    "{\n\tservers {": "{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n\tservers {",
    "platen.example.com {": `https://localhost:${port} {\n\ttls ${join(dir, "cert.pem")} ${join(dir, "key.pem")}`,
    "127.0.0.1:3000": replicas.map((replica) => `127.0.0.1:${replica}`).join(" "),
    // As the file says.
    ...(replicas.length > 1 && { "# health_uri": "health_uri", "# health_interval": "health_interval" }),
  });
}

/** Starts a Caddy that terminates TLS, with the configuration that ships. */
export async function startCaddy(replicas: readonly number[]): Promise<TlsProxy> {
  const { dir, port, client, connect, isReady } = await prepareProxy();
  writeFileSync(join(dir, "Caddyfile"), caddyConfig({ dir, port, replicas }));
  const args = ["run", "--adapter", "caddyfile", "--config", join(dir, "Caddyfile")];
  // Caddy keeps files in the home folder.
  const env = { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
  const caddy = await startProgram({ command: "caddy", args, isReady, asRoot: true, env });
  const remove = async () => {
    await caddy.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  return { client, connect, remove };
}

/** Sends a request to a proxy. `head` has no empty line at its end. @returns the answer, once all of it or the end of the connection is there */
export function exchangeThrough({ connect }: TlsProxy, head: string, body = ""): Promise<RawAnswer> {
  const socket = connect();
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  const chunks: Buffer[] = [];
  const received = () => parseAnswer(Buffer.concat(chunks).toString("latin1"));
  const isWhole = ({ headers, body }: RawAnswer) => body.length >= Number(headers.get("content-length"));
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (isWhole(received())) socket.destroy();
  });
  // A proxy may reset the connection of a request that it has not read to its end.
  socket.on("error", () => {});
  socket.once("close", () => resolve(received()));
  socket.write(`${head.replaceAll("\n", "\r\n")}\r\n\r\n${body}`);
  return promise;
}
