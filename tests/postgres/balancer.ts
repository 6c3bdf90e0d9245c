import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "#tests/e2e/client.ts";
import { freePort } from "#tests/free-port.ts";
import { startProgram } from "#tests/postgres/programs.ts";

/** nginx's defaults: a request whose bytes were sent is not sent to another replica. */
function configFor({ dir, port, replicas }: { dir: string; port: number; replicas: readonly number[] }): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
    daemon off; pid ${join(dir, "pid")}; error_log ${join(dir, "error.log")}; worker_processes 1;
    events {}
    http {
      access_log off;
      ${temporary.map((kind) => `${kind}_temp_path ${join(dir, kind)};`).join(" ")}
      upstream replicas { ${replicas.map((replica) => `server 127.0.0.1:${replica};`).join(" ")} }
      server {
        listen 127.0.0.1:${port};
        client_max_body_size 12m;
        location / { proxy_pass http://replicas; proxy_http_version 1.1; proxy_set_header Host $http_host; }
      }
    }`;
}

export type Balancer = {
  client: Client;
  /** Sends the next requests to these ports. */
  sendTo(replicas: readonly number[]): void;
  remove(): Promise<void>;
};

/** Starts an nginx that distributes requests over replicas. */
export async function startBalancer(replicas: readonly number[]): Promise<Balancer> {
  const dir = mkdtempSync(join(tmpdir(), "platen-balancer-"));
  // As root, nginx runs its workers as another user, who needs access to the buffer folders.
  chmodSync(dir, 0o755);
  const port = await freePort();
  const args = ["-e", join(dir, "error.log"), "-c", join(dir, "nginx.conf")];
  const configure = (ports: readonly number[]) =>
    writeFileSync(join(dir, "nginx.conf"), configFor({ dir, port, replicas: ports }));
  configure(replicas);
  const client = new Client(`http://127.0.0.1:${port}`);
  const isReady = async () => (await client.ask("GET", "/healthz")).status === 200;
  const nginx = await startProgram({ command: "nginx", args, isReady, asRoot: true });
  return {
    client,
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
