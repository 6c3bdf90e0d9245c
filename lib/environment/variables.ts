import { availableParallelism } from "node:os";
import { z } from "zod";
import { browserAddress, confidential, databaseUrl, imageHosts, integer, oneOf, origin, path } from "./kinds.ts";

/*
 * Every variable, by what reads it: its kind, its limits and its default. Those whose default depends on the platform have none here.
 */

export const serverSchema = z.object({
  PORT: integer({ min: 0, max: 65_535, what: "a TCP port" }).prefault("3000"),
  HOST: z.string().optional(),
});

function namesOneBrowser(
  env: { SERVICE_BROWSER_WS?: unknown; SERVICE_CHROMIUM_PATH?: unknown },
  context: z.RefinementCtx,
) {
  if (env.SERVICE_BROWSER_WS === undefined || env.SERVICE_CHROMIUM_PATH === undefined) return;
  const message = "got a path beside SERVICE_BROWSER_WS, want one of the two";
  context.addIssue({ code: "custom", path: ["SERVICE_CHROMIUM_PATH"], message });
}

export const renderSchema = z
  .object({
    SERVICE_DATA_DIR: path.optional(),
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
export const databaseSchema = z.object({
  DATABASE_URL: databaseUrl.optional(),
  SERVICE_DATA_DIR: path.optional(),
  SERVICE_DATABASE_DIR: path.optional(),
  SERVICE_DATABASE_POOL: integer({ min: 1, max: 500, what: "a number of connections" }).prefault("10"),
});

export const accessSchema = z.object({
  SERVICE_PUBLIC_ORIGIN: origin.optional(),
  SERVICE_TRUST_PROXY: oneOf("true", "false").optional(),
});

export const auditSchema = z.object({
  SERVICE_AUDIT_DAYS: integer({ min: 1, max: 36_500, what: "a number of days" }).prefault("365"),
});

/** What an email and a password are is said by `lib/schemas/user.ts`; this finds what an operator gets wrong. */
export const adminSchema = z.object({
  SERVICE_ADMIN_EMAIL: confidential({
    isRight: (text) => /^[^\s@]+@[^\s@]+$/.test(text.trim()) && text.trim().length <= 254,
    want: "an email address such as admin@example.com",
  }).optional(),
  SERVICE_ADMIN_PASSWORD: confidential({
    isRight: (text) => [...text].length >= 12 && [...text].length <= 256,
    want: "12 to 256",
  }).optional(),
});

export const templatesSchema = z.object({ SERVICE_TEMPLATES_DIR: path.optional() });

export const logSchema = z.object({
  SERVICE_LOG_LEVEL: oneOf("debug", "info", "warn", "error", "silent").prefault("info"),
});

export const metricsSchema = z.object({ SERVICE_METRICS: oneOf("on", "off").prefault("on") });

export const buildSchema = z.object({
  SERVICE_BUILD_STANDALONE: oneOf("true", "false").prefault("false"),
});

/** Read apart because it is not a setting but a mode: exactly "true" is on, and nothing else is a fault. */
export const AUTH_VARIABLE = "SERVICE_AUTH_ENABLED";

/** Every name that means something here. */
export const KNOWN_VARIABLES = [
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
  .flatMap(({ shape }) => Object.keys(shape))
  .concat(AUTH_VARIABLE);
