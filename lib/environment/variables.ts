import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { installedBrowser } from "./installed-browser.ts";
import {
  browserAddress,
  confidential,
  databaseUrl,
  folders,
  hostNames,
  imageHosts,
  integer,
  megabytes,
  milliseconds,
  oneOf,
  origin,
  path,
  SHIPPED,
  text,
  trustedProxies,
} from "./kinds.ts";
import { linkKeys } from "./link-keys.ts";
import { memoryLimit } from "./memory.ts";
import { credential, storeAddress } from "./object-store.ts";
import { type Environment, type Section, setting } from "./section.ts";

/** Each request reads this default, and asking the system takes longer than reading all other settings of a render. */
const CORES = String(availableParallelism());

/*
 * Every environment variable: what it sets, what it may hold, and its default, in the notation of the variable. A new
 * variable is one line here and one row in the README, which a test compares.
 */

/** Whether the process belongs to a deployment on Vercel. */
export function isOnVercel(environment: Environment): boolean {
  return environment("VERCEL") !== undefined;
}

/** On Vercel only the temporary folder is writable. */
const dataDir = setting("SERVICE_DATA_DIR", path, (environment) =>
  isOnVercel(environment) ? join(tmpdir(), "platen") : ".data",
);

/** The smallest budget for bodies that holds two of the largest, in megabytes: one that is slow leaves room for another caller's. */
const LEAST_BODY_MB = 32;

/** Twenty of the largest bodies. More would only wait for the browsers. */
const MOST_BODY_MB = 256;

/** A sixteenth of the memory, because a body costs about four times its length, and the browsers need most of the rest. */
function bodyBudgetMb(): number {
  const share = Math.floor(memoryLimit() / 16 / 1_000_000);
  return Math.min(Math.max(share, LEAST_BODY_MB), MOST_BODY_MB);
}

/** How much time to spend on compressing a PNG, from the least to the most. */
export const PNG_EFFORTS = ["fast", "balanced", "small"] as const;

export const SERVER = {
  port: setting("PORT", integer({ min: 0, max: 65_535, what: "a TCP port" }), "3000"),
  host: setting("HOST", text),
  /** The names that open mode answers to, beside names that no foreign site can have. */
  hosts: setting("SERVICE_HOSTS", hostNames, (environment) => (isOnVercel(environment) ? "*" : "localhost")),
  /** How long a server that is told to stop serves on, with `/readyz` at 503. */
  drainDelayMs: setting("SERVICE_DRAIN_DELAY_MS", milliseconds({ min: 0, max: 600_000 }), "0"),
};

/** Apart from {@link SERVER}, which each request reads: to ask for the memory limit takes as long as several settings. */
export const BODIES = {
  /** How many bytes of request bodies may be in memory, from their first byte to their response. */
  budgetBytes: setting("SERVICE_BODY_BUDGET_MB", megabytes({ min: LEAST_BODY_MB, max: 100_000 }), () =>
    String(bodyBudgetMb()),
  ),
};

export const IMAGES = {
  hosts: setting(
    "SERVICE_IMAGE_HOSTS",
    imageHosts({
      isPrivate: false,
      want: "hosts such as images.example.com, *.example.com or http://example.com:8080, separated by commas",
    }),
  ),
  privateHosts: setting(
    "SERVICE_IMAGE_PRIVATE_HOSTS",
    imageHosts({
      isPrivate: true,
      want: "hosts such as minio.internal or http://minio:9000, without *, separated by commas",
    }),
  ),
  /** The size of one fetched image. */
  maxBytes: setting("SERVICE_IMAGE_MAX_MB", megabytes({ min: 1, max: 100 }), "10"),
  /** The time for one image, from the lookup of its host to the last byte, redirects included. */
  timeoutMs: setting("SERVICE_IMAGE_TIMEOUT_MS", milliseconds({ min: 100, max: 60_000 }), "5000"),
};

export const RENDERING = {
  /** The only folder that a running server writes to. */
  dataDir,
  /** An executable to use instead of the bundled Chromium. Where none is bundled, a browser of the machine. */
  chromiumPath: setting("SERVICE_CHROMIUM_PATH", path, installedBrowser),
  /** The address of a remote browser to use instead of starting any. It may contain a credential. */
  browserWs: setting("SERVICE_BROWSER_WS", browserAddress),
  sandbox: setting("SERVICE_CHROMIUM_SANDBOX", oneOf("auto", "on", "off"), "auto"),
  /** The number of browsers that render at once. Read when the first of them starts. A function on Vercel has room for the files of one. */
  workers: setting(
    "SERVICE_RENDER_WORKERS",
    integer({ min: 1, max: 64, what: "a number of browsers" }),
    (environment) => (isOnVercel(environment) ? "1" : CORES),
  ),
  /** The memory of one browser with all its processes. */
  workerBytes: setting("SERVICE_RENDER_WORKER_MB", megabytes({ min: 256, max: 1_000_000 }), "1024"),
  /** The number of renders after which a browser is replaced. */
  rendersPerBrowser: setting(
    "SERVICE_RENDER_RECYCLE",
    integer({ min: 1, max: 1_000_000, what: "a number of renders" }),
    "1000",
  ),
  /** How much time to spend on compressing a PNG. The pixels are the same. */
  png: setting("SERVICE_RENDER_PNG", oneOf(...PNG_EFFORTS), "balanced"),
  /** The memory for pictures of repeated requests. 0 keeps none. */
  cacheBytes: setting("SERVICE_RENDER_CACHE_MB", megabytes({ min: 0, max: 100_000 }), "64"),
  /** The number of renders that may wait for a browser. */
  queueLimit: setting(
    "SERVICE_RENDER_QUEUE",
    integer({ min: 0, max: 10_000, what: "a number of waiting renders" }),
    "64",
  ),
  /** The time for one render, from its arrival in the queue to its last byte. */
  timeoutMs: setting("SERVICE_RENDER_TIMEOUT_MS", milliseconds({ min: 100, max: 300_000 }), "30000"),
};

export const DATABASE = {
  /** A PostgreSQL to connect to. Undefined means the embedded database. */
  url: setting("DATABASE_URL", databaseUrl),
  dataDir,
  /** The private folder of the embedded database. */
  dir: setting("SERVICE_DATABASE_DIR", path),
  /** The number of connections that one process opens at most. */
  poolSize: setting("SERVICE_DATABASE_POOL", integer({ min: 1, max: 500, what: "a number of connections" }), "10"),
};

export const ACCESS = {
  /** The only origin that mutations may come from. Undefined means the request's own. */
  publicOrigin: setting("SERVICE_PUBLIC_ORIGIN", origin),
  /** How many trusted proxies forwarding headers come through. */
  proxies: setting("SERVICE_TRUST_PROXY", trustedProxies, (environment) => String(isOnVercel(environment))),
};

export const AUDIT = {
  days: setting("SERVICE_AUDIT_DAYS", integer({ min: 1, max: 36_500, what: "a number of days" }), "365"),
};

/** `lib/schemas/user.ts` defines what an email and a password are. These checks find typical mistakes of operators. */
export const FIRST_ADMIN = {
  email: setting(
    "SERVICE_ADMIN_EMAIL",
    confidential({
      isValid: (value) => /^[^\s@]+@[^\s@]+$/.test(value.trim()) && value.trim().length <= 254,
      want: "an email address such as admin@example.com",
    }),
  ),
  password: setting(
    "SERVICE_ADMIN_PASSWORD",
    // A form cannot type a line end, and a file of variables may leave one.
    confidential({
      isValid: (value) => [...value].length >= 12 && [...value].length <= 256 && value === value.trim(),
      want: "12 to 256, without white space at either end",
    }),
  ),
};

/** A section of its own, so that a fault of rendering does not hide the templates. */
export const TEMPLATES = { folders: setting("SERVICE_TEMPLATES_DIR", folders, SHIPPED) };

export const LOG = {
  level: setting("SERVICE_LOG_LEVEL", oneOf("debug", "info", "warn", "error", "silent"), "info"),
  /** Unset: text at a terminal, else JSON. */
  format: setting("SERVICE_LOG_FORMAT", oneOf("text", "json")),
};

/** Only exactly `true` lets search engines in, and a misspelt value is a fault, so that nothing is published by mistake. */
export const INDEXING = { allow: setting("SERVICE_ALLOW_INDEXING", oneOf("true", "false"), "false") };

export const METRICS = { metrics: setting("SERVICE_METRICS", oneOf("on", "off"), "on") };

/** A store of S3's protocol for pictures of links, which replicas share. The names of its credentials are those of every AWS client. */
export const STORE = {
  address: setting("SERVICE_CACHE_S3_URL", storeAddress),
  accessKeyId: setting("AWS_ACCESS_KEY_ID", credential),
  secretAccessKey: setting("AWS_SECRET_ACCESS_KEY", credential),
  sessionToken: setting("AWS_SESSION_TOKEN", credential),
  region: setting("AWS_REGION", credential, "us-east-1"),
};

/** Links are served only where there are keys. */
export const LINKS = { keys: setting("SERVICE_LINK_KEYS", linkKeys) };

/** Not a setting but a mode: exactly `true` is on, and anything else is off without a fault. */
export const AUTH_VARIABLE = "SERVICE_AUTH_ENABLED";

const SECTIONS: readonly Section[] = [
  SERVER,
  BODIES,
  IMAGES,
  RENDERING,
  DATABASE,
  ACCESS,
  AUDIT,
  FIRST_ADMIN,
  TEMPLATES,
  LOG,
  INDEXING,
  METRICS,
  LINKS,
  STORE,
];

/** The name of every variable, with its default where that is a plain text. */
export const VARIABLES: ReadonlyMap<string, string | undefined> = new Map([
  [AUTH_VARIABLE, undefined],
  ...SECTIONS.flatMap((section) => Object.values(section)).map(
    ({ variable, unset }) => [variable, typeof unset === "string" ? unset : undefined] as const,
  ),
]);
