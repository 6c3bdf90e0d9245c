import { delimiter, resolve } from "node:path";
import { type ImageHost, readImageHost } from "../image-hosts.ts";

/** Thrown by a {@link Kind}. The message is of the form `got …, want …`. */
export class InvalidValue extends Error {}

/** Converts the text of an environment variable to a value. @throws InvalidValue */
export type Kind<Value> = (text: string) => Value;

/** Any text. A secret of Kubernetes often ends with a line end. */
export const text: Kind<string> = (value) => value.trim();

/** A whole number within limits. @param range.what is what it counts, for the message */
export function integer({ min, max, what }: { min: number; max: number; what: string }): Kind<number> {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidValue(`got "${value}", want ${what}, ${min} to ${max}`);
  };
}

/** A number of megabytes. The value is in bytes. */
export function megabytes(range: { min: number; max: number }): Kind<number> {
  const BYTES_PER_MB = 1_000_000;
  const read = integer({ ...range, what: "a number of megabytes" });
  return (value) => read(value) * BYTES_PER_MB;
}

export function milliseconds(range: { min: number; max: number }): Kind<number> {
  return integer({ ...range, what: "a number of milliseconds" });
}

/** One of a few words. */
export function oneOf<const Word extends string>(...words: Word[]): Kind<Word> {
  return (value) => {
    const word = words.find((candidate) => candidate === value);
    if (word !== undefined) return word;
    throw new InvalidValue(`got "${value}", want ${words.map((option) => `"${option}"`).join(", ")}`);
  };
}

/** How many proxies in front are trusted: `true` stands for one, and `false` for none. */
export const trustedProxies: Kind<number> = (value) => {
  if (value === "true" || value === "false") return Number(value === "true");
  if (/^[2-9]$/.test(value)) return Number(value);
  throw new InvalidValue(`got "${value}", want "true", "false", or the number of proxies, 2 to 9`);
};

/** A file or folder, relative to the working directory. */
export const path: Kind<string> = (value) => {
  if (value.trim() === "") throw new InvalidValue("got white space only, want a path");
  return resolve(/* turbopackIgnore: true */ process.cwd(), value.trim());
};

/** Stands for the templates that ship with Platen, in a list of folders. */
export const SHIPPED = "shipped";

/** Folders, separated as in `PATH`: by `:`, and on Windows by `;`. The word {@link SHIPPED} stays as it is. */
export const folders: Kind<string[]> = (value) => {
  const entries = value.split(delimiter).map((entry) => entry.trim());
  const named = [...new Set(entries.filter(Boolean).map((entry) => (entry === SHIPPED ? entry : path(entry))))];
  if (named.length > 0) return named;
  throw new InvalidValue(`got "${value}", want folders such as ./my-templates${delimiter}${SHIPPED}`);
};

/**
 * Hides the user name and the password of URLs in a value, which a message quotes. Everything before the last `@` is
 * hidden, because a password may contain any character.
 */
function hideCredentials(value: string): string {
  return value.replace(/^([a-z][a-z+.-]*:\/\/)?.*@/is, "$1…@");
}

/** The entries of a list, separated by commas. No valid entry has credentials, and a password may contain a comma. */
function entriesOf(value: string): string[] {
  return hideCredentials(value)
    .split(",")
    .map((entry) => entry.trim());
}

/** A scheme, a host and optionally a port. */
export const origin: Kind<string> = (value) => {
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(value.toLowerCase()))
    return url.origin;
  throw new InvalidValue(`got "${hideCredentials(value)}", want an origin such as https://platen.example.com`);
};

/** The name of a host as browsers send it: lower case and Punycode. Undefined for anything else, such as a port or a path. */
function hostName(entry: string): string | undefined {
  if (entry === "*") return entry;
  const url = /[\s/:?#@[\]\\*]/.test(entry) ? null : URL.parse(`http://${entry}`);
  return url?.hostname.replace(/\.$/, "") || undefined;
}

/** Names of hosts, separated by commas; `*` stands for all. */
export const hostNames: Kind<string[]> = (value) => {
  const entries = entriesOf(value);
  const wrong = entries.filter((entry) => entry !== "" && hostName(entry) === undefined).map((entry) => `"${entry}"`);
  if (wrong.length === 0) return entries.flatMap((entry) => hostName(entry) ?? []);
  throw new InvalidValue(`got ${wrong.join(" and ")}, want names such as cards.example.com, separated by commas, or *`);
};

/** Hosts, separated by commas. */
export function imageHosts({ isPrivate, want }: { isPrivate: boolean; want: string }): Kind<ImageHost[]> {
  return (value) => {
    const hosts = entriesOf(value)
      .filter(Boolean)
      .map((entry) => ({ entry, host: readImageHost(entry, isPrivate) }));
    const wrong = hosts.filter(({ host }) => !host).map(({ entry }) => `"${entry}"`);
    if (wrong.length > 0) throw new InvalidValue(`got ${wrong.join(" and ")}, want ${want}`);
    return hosts.flatMap(({ host }) => host ?? []);
  };
}

/** A WebSocket address. A wrong one is not quoted, because it may contain the key of a paid service. */
export const browserAddress: Kind<string> = (value) => {
  const url = URL.parse(value);
  if (url && /^wss?:$/.test(url.protocol) && !url.hash) return value;
  const got = url ? `an address of ${url.protocol}` : `${[...value].length} characters`;
  throw new InvalidValue(`got ${got}, want a WebSocket address such as ws://127.0.0.1:9222`);
};

/** @see https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION */
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** As other clients write them: `one:5432,two:5432`, which is no URL, or in a parameter. The driver would use the first one only. */
function hasSeveralHosts(value: string): boolean {
  const [, authority = ""] = /^[^/]*\/\/([^/?#]*)/.exec(value) ?? [];
  const inParameters = URL.parse(value)?.searchParams.getAll("host") ?? [];
  return [authority.split("@").at(-1), ...inParameters].some((host) => host?.includes(",")) || inParameters.length > 1;
}

/** What is wrong with a PostgreSQL URL. */
function databaseUrlFault(value: string): string | undefined {
  const url = URL.parse(value);
  if (hasSeveralHosts(value)) return "several hosts";
  if (!url) return `${[...value].length} characters`;
  if (!/^postgres(?:ql)?:$/.test(url.protocol)) return `an address of ${url.protocol}`;
  const mode = url.searchParams.get("sslmode");
  return mode === null || SSL_MODES.includes(mode) ? undefined : `an sslmode that is none of ${SSL_MODES.join(", ")}`;
}

/** A PostgreSQL URL. A wrong one is not quoted, because it may contain a password. */
export const databaseUrl: Kind<string> = (value) => {
  const fault = databaseUrlFault(value);
  if (fault === undefined) return value;
  throw new InvalidValue(`got ${fault}, want a URL such as postgres://user:password@host:5432/database`);
};

/** A text that is never quoted, because it is a password or is set beside one. */
export function confidential({ isValid, want }: { isValid: (value: string) => boolean; want: string }): Kind<string> {
  return (value) => {
    if (isValid(value)) return value;
    throw new InvalidValue(`got ${[...value].length} characters, want ${want}`);
  };
}
