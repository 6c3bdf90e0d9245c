import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Replaces texts of a shipped file. @throws Error where the file does not have one of them exactly once */
export function replaceShipped(file: string, text: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((replaced, [shipped, value]) => {
    const parts = replaced.split(shipped);
    if (parts.length !== 2) throw new Error(`${file} has "${shipped}" ${parts.length - 1} times, want once.`);
    return parts.join(value);
  }, text);
}

/** A configuration that ships, and the address of the server in it. */
export type ShippedNginx = { text: string; server: string };

export type NginxValues = {
  /** A folder for everything that nginx writes, and for the certificate. */
  dir: string;
  port: number;
  /** Ports of the servers on this machine. */
  replicas: readonly number[];
  /** `deploy/nginx.conf` as it is, where none is given. */
  shipped?: ShippedNginx | undefined;
};

const FILE = "deploy/nginx.conf";

const SERVER_OPTIONS = "fail_timeout=1s";

/** A shipped configuration with the values of a run. */
function shippedConfig({ dir, port, replicas, shipped }: NginxValues): string {
  const { text, server } = shipped ?? { text: readFileSync(FILE, "utf8"), server: "127.0.0.1:3000" };
  return replaceShipped(FILE, text, {
    [`server ${server} ${SERVER_OPTIONS};`]: replicas
      .map((replica) => `server 127.0.0.1:${replica} ${SERVER_OPTIONS};`)
      .join(" "),
    "listen 443 ssl;": `listen 127.0.0.1:${port} ssl;`,
    "server_name platen.example.com;": "server_name localhost;",
    "/var/cache/platen-links": join(dir, "links"),
    "/etc/ssl/platen/fullchain.pem": join(dir, "cert.pem"),
    "/etc/ssl/platen/privkey.pem": join(dir, "key.pem"),
  });
}

/** What the shipped file wants outside the `http` context, in the comment at its beginning. @throws Error where it has none */
export function mainContext(): string {
  const [, ...lines] = /^# {3}(worker_rlimit_nofile .*)\n# {3}(events .*)$/m.exec(readFileSync(FILE, "utf8")) ?? [];
  if (lines.length === 0) throw new Error(`${FILE} does not say how many connections it wants.`);
  return lines.join(" ");
}

/** A whole configuration of nginx, for a run without root. */
export function nginxConfig(values: NginxValues): string {
  const inDir = (name: string) => join(values.dir, name);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
    daemon off; pid ${inDir("pid")}; error_log ${inDir("error.log")}; worker_processes 1;
    ${mainContext()}
    http {
      access_log off;
      ${temporary.map((kind) => `${kind}_temp_path ${inDir(kind)};`).join(" ")}
      ${shippedConfig(values)}
    }`;
}

/** Writes a certificate for `localhost` and its key to a folder. @returns the certificate in PEM */
export function createCertificate(dir: string): Buffer {
  const files = ["-keyout", join(dir, "key.pem"), "-out", join(dir, "cert.pem")];
  const subject = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...files, ...subject], { stdio: "pipe" });
  return readFileSync(join(dir, "cert.pem"));
}
