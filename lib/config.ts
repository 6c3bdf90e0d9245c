import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { type ImageHost, readImageHost } from "./image-hosts.ts";
import { nearestName } from "./nearest-name.ts";

/** The folder that holds the built tree; every script and server runs with it as working directory. */
export const PROJECT_DIR = process.cwd();

/** What the build makes and a running server only reads: fonts and the template registry. */
export const BUILD_DIR = join(/* turbopackIgnore: true */ PROJECT_DIR, ".platen");

/** Of this service. It stands here rather than being read from a file that a bundle may not carry; a test compares them. */
export const VERSION = "0.1.0";

const BYTES_PER_MB = 1_000_000;

/** A fault of the environment: which variable, and what was got against what is wanted. */
export type ConfigFault = { variable: string; message: string };

/** Thrown with every fault of the part that was read, never only the first. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly faults: ConfigFault[];

  constructor(faults: ConfigFault[]) {
    super(`The environment is not usable:\n${faults.map((f) => `  ${f.variable}: ${f.message}`).join("\n")}`);
    this.faults = faults;
  }
}

function integer({ min, max, what }: { min: number; max: number; what: string }) {
  return z.string().transform((text, context) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    context.addIssue({ code: "custom", message: `got "${text}", want ${what}, ${min} to ${max}` });
    return z.NEVER;
  });
}

function oneOf<const T extends string>(...options: T[]) {
  return z.string().transform((text, context) => {
    const option = options.find((candidate) => candidate === text);
    if (option !== undefined) return option;
    context.addIssue({ code: "custom", message: `got "${text}", want ${options.map((o) => `"${o}"`).join(", ")}` });
    return z.NEVER;
  });
}

const path = z.string().transform((text) => resolve(/* turbopackIgnore: true */ PROJECT_DIR, text));

/** On Vercel nothing but the temporary folder can be written. */
const dataDir = path.prefault(() => (process.env.VERCEL ? "/tmp/platen" : ".data"));

const origin = z.string().transform((text, context) => {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text.toLowerCase()))
    return url.origin;
  context.addIssue({ code: "custom", message: `got "${text}", want an origin such as https://platen.example.com` });
  return z.NEVER;
});

function imageHosts({ isPrivate, want }: { isPrivate: boolean; want: string }) {
  return z.string().transform((text, context) => {
    const entries = text.split(",").map((entry) => entry.trim());
    const hosts = entries.filter(Boolean).map((entry) => ({ entry, host: readImageHost(entry, isPrivate) }));
    const wrong = hosts.filter(({ host }) => !host).map(({ entry }) => `"${entry}"`);
    if (wrong.length === 0) return hosts.flatMap(({ host }) => host ?? []);
    context.addIssue({ code: "custom", message: `got ${wrong.join(" and ")}, want ${want}` });
    return z.NEVER;
  });
}

const serverSchema = z.object({
  PORT: integer({ min: 0, max: 65_535, what: "a TCP port" }).prefault("3000"),
  HOST: z.string().optional(),
});

/** Not quoted where it is wrong: remote browsers are paid for with a key in their address. */
const browserAddress = z.string().transform((text, context) => {
  const url = URL.parse(text);
  if (url && /^wss?:$/.test(url.protocol) && !url.hash) return text;
  const got = url ? `an address of ${url.protocol}` : `${[...text].length} characters`;
  context.addIssue({ code: "custom", message: `got ${got}, want a WebSocket address such as ws://127.0.0.1:9222` });
  return z.NEVER;
});

function namesOneBrowser(
  env: { SERVICE_BROWSER_WS?: unknown; SERVICE_CHROMIUM_PATH?: unknown },
  context: z.RefinementCtx,
) {
  if (env.SERVICE_BROWSER_WS === undefined || env.SERVICE_CHROMIUM_PATH === undefined) return;
  const message = "got a path beside SERVICE_BROWSER_WS, want one of the two";
  context.addIssue({ code: "custom", path: ["SERVICE_CHROMIUM_PATH"], message });
}

const renderSchema = z
  .object({
    SERVICE_DATA_DIR: dataDir,
    SERVICE_CHROMIUM_PATH: path.optional(),
    SERVICE_BROWSER_WS: browserAddress.optional(),
    SERVICE_CHROMIUM_SANDBOX: oneOf("auto", "on", "off").prefault("auto"),
    SERVICE_RENDER_WORKERS: integer({ min: 1, max: 64, what: "a number of browsers" }).prefault(() =>
      String(availableParallelism()),
    ),
    SERVICE_RENDER_WORKER_MB: integer({ min: 256, max: 1_000_000, what: "a number of megabytes" }).prefault("1024"),
    SERVICE_RENDER_RECYCLE: integer({ min: 1, max: 1_000_000, what: "a number of renders" }).prefault("1000"),
    SERVICE_RENDER_PNG: oneOf("balanced", "fast", "small").prefault("balanced"),
    SERVICE_RENDER_CACHE_MB: integer({ min: 0, max: 100_000, what: "a number of megabytes" }).prefault("64"),
    SERVICE_RENDER_QUEUE: integer({ min: 0, max: 10_000, what: "a number of waiting renders" }).prefault("64"),
    SERVICE_RENDER_TIMEOUT_MS: integer({ min: 100, max: 300_000, what: "a number of milliseconds" }).prefault("30000"),
    SERVICE_IMAGE_HOSTS: imageHosts({
      isPrivate: false,
      want: "hosts such as images.example.com, *.example.com or http://example.com:8080, separated by commas",
    }).prefault(""),
    SERVICE_IMAGE_PRIVATE_HOSTS: imageHosts({
      isPrivate: true,
      want: "hosts such as minio.internal or http://minio:9000, without *, separated by commas",
    }).prefault(""),
    SERVICE_IMAGE_MAX_MB: integer({ min: 1, max: 100, what: "a number of megabytes" }).prefault("10"),
    SERVICE_IMAGE_TIMEOUT_MS: integer({ min: 100, max: 60_000, what: "a number of milliseconds" }).prefault("5000"),
  })
  .superRefine(namesOneBrowser);

/** A session, a token and an account live in one database: this one, or the embedded one in its folder. */
const databaseSchema = z.object({
  DATABASE_URL: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text === undefined || /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
      // Not quoted: it holds a password.
      context.addIssue({ code: "custom", message: "want a URL such as postgres://user:password@host:5432/database" });
      return z.NEVER;
    }),
  SERVICE_DATA_DIR: dataDir,
  SERVICE_DATABASE_DIR: path.optional(),
  SERVICE_DATABASE_POOL: integer({ min: 1, max: 500, what: "a number of connections" }).prefault("10"),
});

const accessSchema = z.object({
  SERVICE_PUBLIC_ORIGIN: origin.optional(),
  SERVICE_TRUST_PROXY: oneOf("true", "false").prefault(() => (process.env.VERCEL ? "true" : "false")),
});

const auditSchema = z.object({
  SERVICE_AUDIT_DAYS: integer({ min: 1, max: 36_500, what: "a number of days" }).prefault("365"),
});

/** A text that is not quoted where it is wrong: it is a password, or somebody has put one there. */
function confidential({ isRight, want }: { isRight: (text: string) => boolean; want: string }) {
  return z
    .string()
    .refine(isRight, { error: ({ input }) => `got ${[...String(input)].length} characters, want ${want}` });
}

/** What an email and a password are is said by `lib/schemas/user.ts`; this finds what an operator gets wrong. */
const adminSchema = z.object({
  SERVICE_ADMIN_EMAIL: confidential({
    isRight: (text) => /^[^\s@]+@[^\s@]+$/.test(text.trim()) && text.trim().length <= 254,
    want: "an email address such as admin@example.com",
  }).optional(),
  SERVICE_ADMIN_PASSWORD: confidential({
    isRight: (text) => [...text].length >= 12 && [...text].length <= 256,
    want: "12 to 256",
  }).optional(),
});

const templatesSchema = z.object({ SERVICE_TEMPLATES_DIR: path.optional() });

const logSchema = z.object({
  SERVICE_LOG_LEVEL: oneOf("debug", "info", "warn", "error", "silent").prefault("info"),
});

const metricsSchema = z.object({ SERVICE_METRICS: oneOf("on", "off").prefault("on") });

const buildSchema = z.object({
  SERVICE_BUILD_STANDALONE: oneOf("true", "false").prefault("false"),
});

/** Read apart because it is not a setting but a mode: exactly "true" is on, and nothing else is a fault. */
const AUTH_VARIABLE = "SERVICE_AUTH_ENABLED";

const KNOWN_VARIABLES = [
  serverSchema,
  renderSchema,
  databaseSchema,
  accessSchema,
  auditSchema,
  adminSchema,
  templatesSchema,
  logSchema,
  metricsSchema,
  buildSchema,
]
  .flatMap((s) => Object.keys(s.shape))
  .concat(AUTH_VARIABLE);

/** An empty variable counts as unset, as deployment files that always name every variable expect. */
function read<T extends z.ZodObject>(schema: T): z.ZodSafeParseResult<z.infer<T>> {
  return schema.safeParse(Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== "")));
}

function faultsOf(error: z.ZodError | undefined): ConfigFault[] {
  return (error?.issues ?? []).map((issue) => ({ variable: String(issue.path[0]), message: issue.message }));
}

function parse<T extends z.ZodObject>(schema: T): z.infer<T> {
  const result = read(schema);
  if (!result.success) throw new ConfigError(faultsOf(result.error));
  return result.data;
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
    dataDir: env.SERVICE_DATA_DIR,
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
    dir: env.SERVICE_DATABASE_DIR ?? join(/* turbopackIgnore: true */ env.SERVICE_DATA_DIR, "database"),
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
    trustProxy: env.SERVICE_TRUST_PROXY === "true",
  };
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
  const missing = Object.keys(adminSchema.shape).filter((name) => !process.env[name]);
  if (missing.length === 1) faults.push({ variable: String(missing[0]), message: "got nothing, want both or neither" });
  return { email: data?.SERVICE_ADMIN_EMAIL, password: data?.SERVICE_ADMIN_PASSWORD, faults };
}

/** An operator's own templates; undefined means the shipped ones. Read apart: a fault of rendering hides no template. */
export function templatesDir(): string | undefined {
  return parse(templatesSchema).SERVICE_TEMPLATES_DIR;
}

/** The least severe line that is logged. A bad value is reported by {@link configReport} and means "info" until it is mended. */
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
  return process.env[AUTH_VARIABLE] === "true";
}

/** True in `npm run dev`, where code and templates reload. */
export function isDevelopment(): boolean {
  return process.env.NODE_ENV === "development";
}

export type ConfigReport = {
  /** Faults that make it impossible to listen. */
  fatal: ConfigFault[];
  /** Faults with which the server starts, and answers every render 503 `misconfigured`. */
  render: ConfigFault[];
  /** Faults with which the server starts, and a part of the access layer does not work. Empty in open mode, which has none. */
  access: ConfigFault[];
  /** Names that look like ours and mean nothing. */
  unknown: ConfigFault[];
};

/** Every fault of the whole environment at once. */
export function configReport(): ConfigReport {
  const unknown = Object.keys(process.env)
    .filter((name) => name.startsWith("SERVICE_") && !KNOWN_VARIABLES.includes(name))
    .map((name) => {
      const nearest = nearestName(name, KNOWN_VARIABLES);
      return { variable: name, message: `unknown, and ignored.${nearest ? ` Did you mean ${nearest}?` : ""}` };
    });
  return {
    fatal: [
      ...faultsOf(read(serverSchema).error),
      ...faultsOf(read(logSchema).error),
      ...faultsOf(read(metricsSchema).error),
      ...faultsOf(read(buildSchema).error),
    ],
    render: faultsOf(read(renderSchema).error),
    access: accessEnabled()
      ? [databaseSchema, accessSchema, auditSchema].flatMap((s) => faultsOf(read(s).error)).concat(adminConfig().faults)
      : [],
    unknown,
  };
}
