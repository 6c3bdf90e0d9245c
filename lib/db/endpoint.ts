import { readFileSync } from "node:fs";
import type { Options } from "postgres";
import { databaseConfig } from "#lib/config.ts";
import { ConfigError } from "#lib/environment/config-error.ts";
import { findEmbedded } from "./embedded/lock.ts";

/** How to reach the database. */
export type Endpoint = { url: string | undefined; options: Options<Record<string, never>>; isEmbedded: boolean };

/**
 * What other clients of PostgreSQL understand in a URL, and PostgreSQL does not. The driver would send it along as a setting
 * of the session, and be refused.
 */
const FOREIGN_OPTIONS = ["channel_binding", "connection_limit", "gssencmode", "host", "pgbouncer", "pool_timeout"];

function parameters(url: string): URLSearchParams {
  return new URL(url).searchParams;
}

function withoutForeign(url: string): string {
  const known = new URL(url);
  for (const option of [...FOREIGN_OPTIONS, "sslrootcert"]) known.searchParams.delete(option);
  return known.href;
}

function certificateOptions(file: string | null): Options<Record<string, never>> {
  if (file === null || file === "system") return {};
  try {
    return { ssl: { ca: readFileSync(/* turbopackIgnore: true */ file) } };
  } catch {
    throw new ConfigError([{ variable: "DATABASE_URL", message: "the file that sslrootcert names cannot be read" }]);
  }
}

function urlEndpoint(url: string): Endpoint {
  const asked = parameters(url);
  const host = asked.get("host");
  return {
    url: withoutForeign(url),
    // Statements without a name: a pooler may run each one on another connection.
    options: { prepare: false, ...(host && { host }), ...certificateOptions(asked.get("sslrootcert")) },
    isEmbedded: false,
  };
}

/**
 * Where the database is now. The embedded one moves with each start of its server.
 *
 * @throws ConfigError when there is none; AppError `unavailable` while the embedded one is starting
 */
export function findEndpoint(): Endpoint {
  const { url, dir } = databaseConfig();
  if (url) return urlEndpoint(url);
  const path = findEmbedded(dir);
  // Named statements save half of the way, and there is no pooler here.
  return { url: undefined, options: { path, user: "postgres", database: "postgres", prepare: true }, isEmbedded: true };
}

/** How many connections one process may have. One is all that the embedded database serves at a time. */
export function poolSize(): number {
  const { url, poolSize } = databaseConfig();
  if (!url) return 1;
  const asked = Number(parameters(url).get("max"));
  return Number.isInteger(asked) && asked > 0 ? asked : poolSize;
}
