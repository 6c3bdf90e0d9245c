import { join } from "node:path";
import type { z } from "zod";
import { ConfigError, type ConfigFault, faultsOf } from "./environment/config-error.ts";
import {
  AUTH_VARIABLE,
  accessSchema,
  adminSchema,
  auditSchema,
  buildSchema,
  databaseSchema,
  logSchema,
  metricsSchema,
  renderSchema,
  serverSchema,
  templatesSchema,
} from "./environment/variables.ts";
import type { ImageHost } from "./image-hosts.ts";

/** The folder that holds the built tree; every script and server runs with it as working directory. */
export const PROJECT_DIR = process.cwd();

/** What the build makes and a running server only reads: fonts and the template registry. */
export const BUILD_DIR = join(/* turbopackIgnore: true */ PROJECT_DIR, ".platen");

/** Of this service. It stands here rather than being read from a file that a bundle may not carry; a test compares them. */
export const VERSION = "0.1.0";

const BYTES_PER_MB = 1_000_000;

/** What a variable holds. An empty one counts as unset, as deployment files that always name every variable expect. */
function variable(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** Every variable that there is, ours or not. */
export function variableNames(): string[] {
  return Object.keys(process.env);
}

/** Written out, because Next's bundler replaces exactly this expression: a built page knows what it was built for. */
function nodeMode(): string | undefined {
  return process.env.NODE_ENV;
}

type Reading = { values: (string | undefined)[]; result: z.ZodSafeParseResult<unknown> };

const readings = new WeakMap<z.ZodObject, Reading>();

/** What a schema makes of its variables. Every request reads, so that what has not changed is not parsed again (0.3 ms a request). */
export function read<T extends z.ZodObject>(schema: T): z.ZodSafeParseResult<z.infer<T>> {
  const names = Object.keys(schema.shape);
  const values = names.map(variable);
  const last = readings.get(schema);
  if (last?.values.every((value, index) => value === values[index])) {
    return last.result as z.ZodSafeParseResult<z.infer<T>>;
  }
  const result = schema.safeParse(Object.fromEntries(names.map((name, index) => [name, values[index]])));
  readings.set(schema, { values, result });
  return result;
}

/** The same, where nothing can be done with a fault. @throws ConfigError */
function parse<T extends z.ZodObject>(schema: T): z.infer<T> {
  const result = read(schema);
  if (!result.success) throw new ConfigError(faultsOf(result.error));
  return result.data;
}

function isOnVercel(): boolean {
  return variable("VERCEL") !== undefined;
}

/** On Vercel nothing but the temporary folder can be written. */
function defaultDataDir(): string {
  return isOnVercel() ? "/tmp/platen" : join(/* turbopackIgnore: true */ PROJECT_DIR, ".data");
}

export type ServerConfig = { port: number; host: string | undefined };

/** Where to listen. @throws ConfigError */
export function serverConfig(): ServerConfig {
  const env = parse(serverSchema);
  return { port: env.PORT, host: env.HOST };
}

/** How images are fetched that a request gives the address of. */
export type ImageConfig = {
  /** None means that no address is accepted. */
  hosts: ImageHost[];
  /** Of one image, as it is sent. */
  maxBytes: number;
  /** From the look-up of the host to the last byte, redirects included. */
  timeoutMs: number;
};

export type RenderConfig = {
  /** The only folder a running server writes to. */
  dataDir: string;
  /** An executable to use instead of the bundled Chromium. */
  chromiumPath: string | undefined;
  /** A browser elsewhere to use instead of starting any: its `ws:` or `wss:` address, which may hold a credential. */
  browserWs: string | undefined;
  sandbox: "auto" | "on" | "off";
  /** How many browsers draw at once. Read when the first of them starts. */
  workers: number;
  /** How much memory one browser may take, in bytes, all its processes together. */
  workerBytes: number;
  /** After how many renders a browser is replaced. */
  rendersPerBrowser: number;
  /** How much time is spent on making the file small. The pixels are the same. */
  png: "balanced" | "fast" | "small";
  /** How many bytes of pictures are kept for repeated requests; 0 keeps none. */
  cacheBytes: number;
  /** How many renders may wait for a worker. */
  queueLimit: number;
  /** From the arrival of a render in the queue to its last byte. */
  timeoutMs: number;
  images: ImageConfig;
};

/** Everything a render depends on. Read again for each one, so that a bad value is refused, never rendered with. @throws ConfigError */
export function renderConfig(): RenderConfig {
  const env = parse(renderSchema);
  return {
    dataDir: env.SERVICE_DATA_DIR ?? defaultDataDir(),
    chromiumPath: env.SERVICE_CHROMIUM_PATH,
    browserWs: env.SERVICE_BROWSER_WS,
    sandbox: env.SERVICE_CHROMIUM_SANDBOX,
    workers: env.SERVICE_RENDER_WORKERS,
    workerBytes: env.SERVICE_RENDER_WORKER_MB * BYTES_PER_MB,
    rendersPerBrowser: env.SERVICE_RENDER_RECYCLE,
    png: env.SERVICE_RENDER_PNG,
    cacheBytes: env.SERVICE_RENDER_CACHE_MB * BYTES_PER_MB,
    queueLimit: env.SERVICE_RENDER_QUEUE,
    timeoutMs: env.SERVICE_RENDER_TIMEOUT_MS,
    images: {
      hosts: [...env.SERVICE_IMAGE_HOSTS, ...env.SERVICE_IMAGE_PRIVATE_HOSTS],
      maxBytes: env.SERVICE_IMAGE_MAX_MB * BYTES_PER_MB,
      timeoutMs: env.SERVICE_IMAGE_TIMEOUT_MS,
    },
  };
}

export type DatabaseConfig = {
  /** A PostgreSQL to connect to; undefined means the embedded database. */
  url: string | undefined;
  /** Where the embedded database lives, private to it. */
  dir: string;
  /** How many connections one process opens at most. */
  poolSize: number;
};

/** Where sessions, accounts and tokens are kept. @throws ConfigError */
export function databaseConfig(): DatabaseConfig {
  const env = parse(databaseSchema);
  return {
    url: env.DATABASE_URL,
    dir:
      env.SERVICE_DATABASE_DIR ??
      join(/* turbopackIgnore: true */ env.SERVICE_DATA_DIR ?? defaultDataDir(), "database"),
    poolSize: env.SERVICE_DATABASE_POOL,
  };
}

export type AccessConfig = {
  /** The only origin that mutations may come from; undefined means the request's own. */
  publicOrigin: string | undefined;
  /** Whether forwarding headers come from a proxy of ours rather than from anyone. */
  trustProxy: boolean;
};

/** What the access layer depends on. @throws ConfigError */
export function accessConfig(): AccessConfig {
  const env = parse(accessSchema);
  return {
    publicOrigin: env.SERVICE_PUBLIC_ORIGIN,
    trustProxy: env.SERVICE_TRUST_PROXY ? env.SERVICE_TRUST_PROXY === "true" : isOnVercel(),
  };
}

/**
 * Whether forwarding headers say where a request comes from. In open mode that only decides whose turn a render takes, so
 * that anything but `true` is a no. @throws ConfigError with the access layer on
 */
export function trustsProxy(): boolean {
  if (accessEnabled()) return accessConfig().trustProxy;
  const told = variable("SERVICE_TRUST_PROXY");
  return told ? told === "true" : isOnVercel();
}

/** How many days the audit trail is kept. Undefined where the value is bad, which is reported: then nothing is deleted. */
export function auditDays(): number | undefined {
  return read(auditSchema).data?.SERVICE_AUDIT_DAYS;
}

export type AdminConfig = { email: string | undefined; password: string | undefined; faults: ConfigFault[] };

/** Who the first administrator is to be, or what is wrong with that: it is needed once, and no reason not to serve. */
export function adminConfig(): AdminConfig {
  const { data, error } = read(adminSchema);
  const faults = faultsOf(error);
  const missing = Object.keys(adminSchema.shape).filter((name) => variable(name) === undefined);
  if (missing.length === 1) faults.push({ variable: String(missing[0]), message: "got nothing, want both or neither" });
  return { email: data?.SERVICE_ADMIN_EMAIL, password: data?.SERVICE_ADMIN_PASSWORD, faults };
}

/** An operator's own templates; undefined means the shipped ones. Read apart: a fault of rendering hides no template. */
export function templatesDir(): string | undefined {
  return parse(templatesSchema).SERVICE_TEMPLATES_DIR;
}

/** The least severe line that is logged. A bad value is reported by `configReport` and means "info" until it is mended. */
export function logLevel(): string {
  return read(logSchema).data?.SERVICE_LOG_LEVEL ?? "info";
}

/** Whether `/metrics` answers. A bad value is reported, and means that it does not. */
export function metricsEnabled(): boolean {
  return read(metricsSchema).data?.SERVICE_METRICS === "on";
}

/** Whether a build also gathers a folder that runs without `node_modules`. A bad value is reported, and means it does not. */
export function standaloneBuild(): boolean {
  return read(buildSchema).data?.SERVICE_BUILD_STANDALONE === "true";
}

/** Whether the access layer is on. */
export function accessEnabled(): boolean {
  return variable(AUTH_VARIABLE) === "true";
}

/** True in `npm run dev`, where code and templates reload. */
export function isDevelopment(): boolean {
  return nodeMode() === "development";
}
