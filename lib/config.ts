import { join } from "node:path";
import { ConfigError, type ConfigFault } from "./environment/config-error.ts";
import { type Reading, readSection, type Section, type Values } from "./environment/section.ts";
import {
  ACCESS,
  AUDIT,
  AUTH_VARIABLE,
  BODIES,
  DATABASE,
  FIRST_ADMIN,
  IMAGES,
  INDEXING,
  isOnVercel,
  LOG,
  METRICS,
  RENDERING,
  SERVER,
  TEMPLATES,
} from "./environment/variables.ts";
import type { ImageHost } from "./image-hosts.ts";

/** The folder of the built tree. Every script and server has it as its working directory. */
export const PROJECT_DIR = process.cwd();

/** The output of the build that a running server only reads: fonts and the template registry. */
export const BUILD_DIR = join(/* turbopackIgnore: true */ PROJECT_DIR, ".platen");

/** The version of this service. It is repeated here because a bundle may lack package.json. A test compares the two. */
export const VERSION = "0.1.0";

/** Reads a variable. An empty one counts as unset, because deployment files often name every variable. */
export function variable(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** The names of all variables of the environment, known to this service or not. */
export function variableNames(): string[] {
  return Object.keys(process.env);
}

/** Next's bundler replaces exactly this expression, so that a built page knows its mode. */
function nodeMode(): string | undefined {
  return process.env.NODE_ENV;
}

/** Reads a section. Faults are returned. */
export function readVariables<S extends Section>(section: S): Reading<S> {
  return readSection(section, variable);
}

/** The faults of a section. */
export function faultsOf(section: Section): ConfigFault[] {
  return readVariables(section).faults;
}

/** Returns the values of a section. @throws ConfigError with every fault of it */
export function loadVariables<S extends Section>(section: S): Values<S> {
  const { values, faults } = readVariables(section);
  if (faults.length > 0) throw new ConfigError(faults);
  return values as Values<S>;
}

export type ServerConfig = Values<typeof SERVER>;

/** Where to listen. @throws ConfigError */
export function serverConfig(): ServerConfig {
  return loadVariables(SERVER);
}

/** How many bytes of request bodies may be in memory. @throws ConfigError */
export function bodyBudgetBytes(): number {
  return loadVariables(BODIES).budgetBytes;
}

/** How to fetch images that a request names by address. Without hosts, every address is refused. */
export type ImageConfig = { hosts: ImageHost[]; maxBytes: number; timeoutMs: number };

export type RenderConfig = Values<typeof RENDERING> & { images: ImageConfig };

function readRender() {
  const [rendering, images] = [readVariables(RENDERING), readVariables(IMAGES)];
  const faults = [...rendering.faults, ...images.faults];
  if (variable(RENDERING.browserWs.variable) && variable(RENDERING.chromiumPath.variable))
    faults.push({
      variable: RENDERING.chromiumPath.variable,
      message: `got a path beside ${RENDERING.browserWs.variable}, want one of the two`,
    });
  return { rendering, images, faults };
}

/** Every fault of what a render depends on. */
export function renderFaults(): ConfigFault[] {
  return readRender().faults;
}

/**
 * How much of the time for a render one of its images may take. With more of it, a render would end at its own deadline when the server of an
 * image does not answer: nobody would learn the reason, and neither a placeholder nor the fallback of a link would be drawn.
 */
const IMAGE_TIME_SHARE = 1 / 2;

/** Everything that a render depends on. A bad value is refused at the next render. @throws ConfigError */
export function renderConfig(): RenderConfig {
  const { rendering, images, faults } = readRender();
  if (faults.length > 0) throw new ConfigError(faults);
  const { hosts = [], privateHosts = [], maxBytes, ...image } = images.values as Values<typeof IMAGES>;
  const { values } = rendering as { values: Values<typeof RENDERING> };
  const timeoutMs = Math.min(image.timeoutMs, Math.floor(values.timeoutMs * IMAGE_TIME_SHARE));
  return { ...values, images: { hosts: [...hosts, ...privateHosts], maxBytes, timeoutMs } };
}

/** The browser of this machine that renders, because none is bundled for it and none is named. */
export function foundBrowser(): string | undefined {
  if (variable(RENDERING.chromiumPath.variable) || variable(RENDERING.browserWs.variable)) return undefined;
  return readVariables(RENDERING).values.chromiumPath;
}

/** How many renders may run and wait at once. 0 for a bad value, with which nothing is rendered. */
export function renderLimits(): { workers: number; queueLimit: number } {
  const { workers = 0, queueLimit = 0 } = readVariables(RENDERING).values;
  return { workers, queueLimit };
}

/** The deadline of a render in milliseconds. 0 for a bad value, with which nothing is rendered. */
export function renderTimeoutMs(): number {
  return readVariables(RENDERING).values.timeoutMs ?? 0;
}

export type DatabaseConfig = Pick<Values<typeof DATABASE>, "url" | "poolSize"> & { dir: string };

/** Where accounts, sessions and tokens are stored. @throws ConfigError */
export function databaseConfig(): DatabaseConfig {
  const { url, dataDir, dir, poolSize } = loadVariables(DATABASE);
  return { url, dir: dir ?? join(/* turbopackIgnore: true */ dataDir, "database"), poolSize };
}

export type AccessConfig = { publicOrigin: string | undefined; trustProxy: boolean };

/** What the access layer depends on. @throws ConfigError */
export function accessConfig(): AccessConfig {
  const { publicOrigin, proxies } = loadVariables(ACCESS);
  return { publicOrigin, trustProxy: proxies > 0 };
}

export type HostConfig = {
  /** As browsers send them; `*` stands for all. */
  names: string[];
  publicOrigin: string | undefined;
  /** Whether something in front passes on only requests for hosts of this service, as Vercel does. */
  isChecked: boolean;
};

/** The names that the service answers to. A bad value names none. */
export function hostConfig(): HostConfig {
  const names = readVariables(SERVER).values.hosts ?? [];
  return { names, publicOrigin: readVariables(ACCESS).values.publicOrigin, isChecked: isOnVercel(variable) };
}

/**
 * How many trusted proxies forwarding headers come through. In open mode this affects the order of renders and the names that are
 * answered, so a bad value means none. @throws ConfigError with the access layer on
 */
export function proxyCount(): number {
  return accessEnabled() ? loadVariables(ACCESS).proxies : (readVariables(ACCESS).values.proxies ?? 0);
}

/** Whether forwarding headers come from a trusted proxy. @throws as {@link proxyCount} */
export function trustsProxy(): boolean {
  return proxyCount() > 0;
}

/** The number of days to keep the audit trail. Undefined for a bad value, with which nothing is deleted. */
export function auditDays(): number | undefined {
  return readVariables(AUDIT).values.days;
}

export type AdminConfig = { email: string | undefined; password: string | undefined; faults: ConfigFault[] };

/** The first administrator. Faults are returned, because they matter only while there is no user. */
export function adminConfig(): AdminConfig {
  const { values, faults } = readVariables(FIRST_ADMIN);
  const missing = Object.values(FIRST_ADMIN).filter((setting) => variable(setting.variable) === undefined);
  const [only] = missing.length === 1 ? missing : [];
  const unpaired = only ? [{ variable: only.variable, message: "got nothing, want both or neither" }] : [];
  return { email: values.email, password: values.password, faults: [...faults, ...unpaired] };
}

/** The folders of templates, in the order in which they win. The word `shipped` stands for those of Platen. */
export function templateFolders(): string[] {
  return loadVariables(TEMPLATES).folders;
}

/** The lowest level that is logged. A bad value means "info" until it is corrected. */
export function logLevel(): string {
  return readVariables(LOG).values.level ?? "info";
}

/** How a line of the log is written. A bad value, like none, leaves it to the kind of standard output. */
export function logFormat(): "text" | "json" | undefined {
  return readVariables(LOG).values.format;
}

/** What SERVICE_AUTH_ENABLED holds. */
export function authValue(): string | undefined {
  return variable(AUTH_VARIABLE);
}

/**
 * Whether search engines may index the pages that everyone can read. With accounts there are none, so it has no effect then.
 * A bad value means no.
 */
export function allowsIndexing(): boolean {
  return !accessEnabled() && readVariables(INDEXING).values.allow === "true";
}

/** Whether `/metrics` answers. A bad value means no. */
export function metricsEnabled(): boolean {
  return readVariables(METRICS).values.metrics === "on";
}

/** Whether this build is for Vercel, which takes only the files that Next traced, or this process runs there. */
export function isDeployment(): boolean {
  return isOnVercel(variable);
}

/** Whether the access layer is on. */
export function accessEnabled(): boolean {
  return variable(AUTH_VARIABLE) === "true";
}

/** Whether the platform may suspend the process once a response is sent, as Vercel does. */
export function isSuspendedBetweenRequests(): boolean {
  return variable("VERCEL") !== undefined;
}

/** True in `npm run dev`, where code and templates reload. */
export function isDevelopment(): boolean {
  return nodeMode() === "development";
}
