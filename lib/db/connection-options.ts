import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { Options } from "postgres";
import { databaseConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { processState } from "#lib/process-state.ts";
import { LOST_FOLDER } from "./database-faults.ts";
import { EMBEDDED_QUERY_TIMEOUT_MS, QUERY_TIMEOUT_MS } from "./database-limits.ts";
import { findEmbedded } from "./embedded/folder-lock.ts";

/** How to reach the database, for the driver. */
export type ConnectionOptions = {
  url: string | undefined;
  options: Options<Record<string, never>>;
  isEmbedded: boolean;
};

/**
 * URL parameters of other PostgreSQL clients that can be left out. The driver would send them as settings, which PostgreSQL refuses.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS
 */
const FOREIGN_PARAMETERS = [
  ..."channel_binding fallback_application_name gssencmode keepalives keepalives_count keepalives_idle".split(" "),
  ..."keepalives_interval load_balance_hosts sslcompression sslsni tcp_user_timeout".split(" "),
  ..."connection_limit pgbouncer pool_timeout socket_timeout statement_cache_size uselibpqcompat".split(" "),
];

function parametersOf(url: string): URLSearchParams {
  return new URL(url).searchParams;
}

const DEFAULT_PORT = 5432;

/**
 * The driver refuses "any", which is the default, and accepts a stand-by with "read-write". With "prefer-standby" it looks for a second
 * host.
 */
function wantedServer(attributes: string): string | undefined {
  if (attributes === "any" || attributes === "prefer-standby") return undefined;
  return attributes === "read-write" ? "primary" : attributes;
}

/** The URL without what the driver does not understand. */
function driverUrl(url: string): string {
  const cleaned = new URL(url);
  const { searchParams } = cleaned;
  for (const name of [...FOREIGN_PARAMETERS, "host", "port", "sslrootcert"]) searchParams.delete(name);
  // With "allow", the driver fails where the server has no TLS. With "prefer", it connects without it.
  if (searchParams.get("sslmode") === "allow") searchParams.set("sslmode", "prefer");
  const server = wantedServer(searchParams.get("target_session_attrs") ?? "any");
  if (server === undefined) searchParams.delete("target_session_attrs");
  else searchParams.set("target_session_attrs", server);
  return cleaned.href;
}

/** @throws ConfigError when the file cannot be read */
function rootCertificate(file: string): { ca: Buffer } {
  try {
    return { ca: readFileSync(/* turbopackIgnore: true */ file) };
  } catch {
    throw new ConfigError([{ variable: "DATABASE_URL", message: "the file that sslrootcert names cannot be read" }]);
  }
}

/** As for libpq, the host may be a parameter, and the folder of a socket may be written with `%2F`. */
function hostOf(url: string): string {
  const { hostname, searchParams } = new URL(url);
  return (searchParams.get("host") || hostname.replaceAll(/%2f/gi, "/")).replace(/^\[(.+)\]$/, "$1");
}

/** The host that certificates have to name. For an address, Node would look for `localhost` in them, unless it is told the address. */
function identityOptions(url: string): { host?: string } {
  const host = hostOf(url);
  return isIP(host) ? { host } : {};
}

/** How the certificate of the server is verified. Where it is not, the driver reads `sslmode` itself. */
function certificateOptions(url: string): Options<Record<string, never>> {
  const searchParams = parametersOf(url);
  const [mode, file] = [searchParams.get("sslmode"), searchParams.get("sslrootcert")];
  // As in PostgreSQL's own clients: weaker modes would make no use of the certificates of the system.
  if (file === "system" || (file === null && mode?.startsWith("verify-"))) return { ssl: identityOptions(url) };
  if (file === null || mode === "disable") return {};
  // The certificates of a file may be those of one server alone, which has no name, as with managed databases.
  const identity = mode === "verify-ca" ? { checkServerIdentity: () => undefined } : identityOptions(url);
  return { ssl: { ...rootCertificate(file), ...identity } };
}

/** As for libpq, the port may be a parameter. The driver's types leave out lists of hosts and ports. */
function hostOptions(url: string): object {
  const host = hostOf(url);
  const { port, searchParams } = new URL(url);
  const number = Number(searchParams.get("port") || port) || undefined;
  // The driver cuts a host at its first colon, unless it is in a list.
  return isIP(host) === 6 ? { host: [host], port: [number ?? DEFAULT_PORT] } : { host, port: number };
}

function urlOptions(url: string): ConnectionOptions {
  return {
    url: driverUrl(url),
    // Unnamed statements only: a pooler may run each statement on another connection.
    options: {
      prepare: false,
      ...hostOptions(url),
      ...certificateOptions(url),
    },
    isEmbedded: false,
  };
}

/**
 * How to reach the database now. The socket of the embedded database changes with each start of its server.
 *
 * @throws ConfigError when no database is configured or served; an error that counts as unavailable while this server has lost the
 * folder of the embedded one
 */
export function connectionOptions(): ConnectionOptions {
  const { url, dir } = databaseConfig();
  return url ? urlOptions(url) : embeddedOptions(dir);
}

/** The folders of the embedded databases that this process serves. */
export const foldersServedHere = processState("served-folders", () => new Set<string>());

function socketIn(dir: string): string {
  try {
    return findEmbedded(dir);
  } catch (error) {
    if (!foldersServedHere.get().has(dir)) throw error;
    throw Object.assign(new Error(`The claim on ${dir} is gone.`, { cause: error }), { code: LOST_FOLDER });
  }
}

/** How to reach the embedded database of a folder. @throws what {@link connectionOptions} throws */
export function embeddedOptions(dir: string): ConnectionOptions {
  const path = socketIn(dir);
  // Prepared statements take half the time, and there is no pooler in between.
  return { url: undefined, options: { path, user: "postgres", database: "postgres", prepare: true }, isEmbedded: true };
}

/** The name of the database for the log and for messages: host, port, name and user, never the password. */
export function databaseName(): string {
  const { url, dir } = databaseConfig();
  if (!url) return `the embedded database in ${dir}`;
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? hostname;
  return `PostgreSQL at ${host}:${port || 5432}, database ${pathname.slice(1) || username}, user ${username}`;
}

/** What to check when the database does not answer, for the log and for messages. */
export function databaseRemedy(): string {
  const { url, dir } = databaseConfig();
  if (url) return "Check DATABASE_URL, and that the database runs and can be reached from here.";
  return `Check that the disk of ${dir} has room and can be written, and see the log of the server.`;
}

/** What to check when the database answers but refuses to write, for the log. */
export function writeRemedy(): string {
  if (!databaseConfig().url) return databaseRemedy();
  return "Check that DATABASE_URL names no stand-by, that default_transaction_read_only is off, and that the disk of the database has room.";
}

/** The most that one statement may take, in milliseconds. */
export function queryTimeoutMs(): number {
  return databaseConfig().url ? QUERY_TIMEOUT_MS : EMBEDDED_QUERY_TIMEOUT_MS;
}

/** How many connections one process may open. The embedded database serves one at a time. */
export function poolSize(): number {
  const { url, poolSize } = databaseConfig();
  if (!url) return 1;
  const max = Number(parametersOf(url).get("max"));
  return Number.isInteger(max) && max > 0 ? max : poolSize;
}
