import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { Client } from "#tests/e2e/client.ts";
import { parseAnswer, type RawAnswer } from "#tests/e2e/service.ts";
import { freePort } from "#tests/free-port.ts";
import { startProgram } from "#tests/postgres/programs.ts";

type Values = { dir: string; port: number; replicas: readonly number[] };

/** `deploy/nginx.conf` with the values of a test. @throws Error where the file does not have one of them exactly once */
function shippedConfig({ dir, port, replicas }: Values): string {
  const values = {
    "server 127.0.0.1:3000;": replicas.map((replica) => `server 127.0.0.1:${replica};`).join(" "),
    "listen 443 ssl;": `listen 127.0.0.1:${port} ssl;`,
    "server_name platen.example.com;": "server_name localhost;",
    "/etc/ssl/platen/fullchain.pem": join(dir, "cert.pem"),
    "/etc/ssl/platen/privkey.pem": join(dir, "key.pem"),
  };
  return Object.entries(values).reduce(
    (text, [shipped, value]) => {
      const parts = text.split(shipped);
      if (parts.length !== 2)
        throw new Error(`deploy/nginx.conf has "${shipped}" ${parts.length - 1} times, want once.`);
      return parts.join(value);
    },
    readFileSync("deploy/nginx.conf", "utf8"),
  );
}

/** A whole configuration of nginx, for a run without root. */
function configFor(values: Values): string {
  const inDir = (name: string) => join(values.dir, name);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
    daemon off; pid ${inDir("pid")}; error_log ${inDir("error.log")}; worker_processes 1;
    events {}
    http {
      access_log off;
      ${temporary.map((kind) => `${kind}_temp_path ${inDir(kind)};`).join(" ")}
      ${shippedConfig(values)}
    }`;
}

function createCertificate(dir: string): Buffer {
  const files = ["-keyout", join(dir, "key.pem"), "-out", join(dir, "cert.pem")];
  const subject = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...files, ...subject], { stdio: "pipe" });
  return readFileSync(join(dir, "cert.pem"));
}

export type Balancer = {
  client: Client;
  /** Opens a connection on which a test sends bytes. */
  connect(): TLSSocket;
  /** Sends the next requests to these ports. */
  sendTo(replicas: readonly number[]): void;
  remove(): Promise<void>;
};

/** Starts an nginx that terminates TLS and distributes requests over replicas, with the configuration that ships. */
export async function startBalancer(replicas: readonly number[]): Promise<Balancer> {
  const dir = mkdtempSync(join(tmpdir(), "platen-balancer-"));
  // As root, nginx runs its workers as another user, who needs access to the buffer folders.
  chmodSync(dir, 0o755);
  const ca = createCertificate(dir);
  const port = await freePort();
  const args = ["-e", join(dir, "error.log"), "-c", join(dir, "nginx.conf")];
  const configure = (ports: readonly number[]) =>
    writeFileSync(join(dir, "nginx.conf"), configFor({ dir, port, replicas: ports }));
  configure(replicas);
  const client = new Client(`https://localhost:${port}`, ca);
  const isReady = async () => (await client.ask("GET", "/readyz")).status === 200;
  const nginx = await startProgram({ command: "nginx", args, isReady, asRoot: true });
  return {
    client,
    connect: () => connect({ port, host: "127.0.0.1", servername: "localhost", ca }),
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

/** Sends a request to nginx. `head` has no empty line at its end. @returns the answer, once all of it or the end of the connection is there */
export function exchangeThrough({ connect }: Balancer, head: string, body = ""): Promise<RawAnswer> {
  const socket = connect();
  const { promise, resolve } = Promise.withResolvers<RawAnswer>();
  const chunks: Buffer[] = [];
  const received = () => parseAnswer(Buffer.concat(chunks).toString("latin1"));
  const isWhole = ({ headers, body }: RawAnswer) => body.length >= Number(headers.get("content-length"));
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (isWhole(received())) socket.destroy();
  });
  // nginx may reset the connection of a request that it has not read to its end.
  socket.on("error", () => {});
  socket.once("close", () => resolve(received()));
  socket.write(`${head.replaceAll("\n", "\r\n")}\r\n\r\n${body}`);
  return promise;
}
