import { resolve } from "node:path";
import { z } from "zod";
import { readImageHost } from "../image-hosts.ts";

/*
 * What a variable of the environment may hold, and what its value means. A fault says what was got and what is wanted.
 */

/** A whole number within limits. @param what it counts, for the message */
export function integer({ min, max, what }: { min: number; max: number; what: string }) {
  return z.string().transform((text, context) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    context.addIssue({ code: "custom", message: `got "${text}", want ${what}, ${min} to ${max}` });
    return z.NEVER;
  });
}

/** One of a few words. */
export function oneOf<const T extends string>(...options: T[]) {
  return z.string().transform((text, context) => {
    const option = options.find((candidate) => candidate === text);
    if (option !== undefined) return option;
    context.addIssue({ code: "custom", message: `got "${text}", want ${options.map((o) => `"${o}"`).join(", ")}` });
    return z.NEVER;
  });
}

/** A file or folder, from the project's own. */
export const path = z.string().transform((text) => resolve(/* turbopackIgnore: true */ process.cwd(), text));

/** A scheme, a host and perhaps a port. */
export const origin = z.string().transform((text, context) => {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text.toLowerCase()))
    return url.origin;
  context.addIssue({ code: "custom", message: `got "${text}", want an origin such as https://platen.example.com` });
  return z.NEVER;
});

/** Hosts, separated by commas. */
export function imageHosts({ isPrivate, want }: { isPrivate: boolean; want: string }) {
  return z.string().transform((text, context) => {
    const entries = text.split(",").map((entry) => entry.trim());
    const hosts = entries.filter(Boolean).map((entry) => ({ entry, host: readImageHost(entry, isPrivate) }));
    const wrong = hosts.filter(({ host }) => !host).map(({ entry }) => `"${entry}"`);
    if (wrong.length === 0) return hosts.flatMap(({ host }) => host ?? []);
    context.addIssue({ code: "custom", message: `got ${wrong.join(" and ")}, want ${want}` });
    return z.NEVER;
  });
}

/** Not quoted where it is wrong: remote browsers are paid for with a key in their address. */
export const browserAddress = z.string().transform((text, context) => {
  const url = URL.parse(text);
  if (url && /^wss?:$/.test(url.protocol) && !url.hash) return text;
  const got = url ? `an address of ${url.protocol}` : `${[...text].length} characters`;
  context.addIssue({ code: "custom", message: `got ${got}, want a WebSocket address such as ws://127.0.0.1:9222` });
  return z.NEVER;
});

/** Not quoted where it is wrong: it holds a password. */
export const databaseUrl = z.string().transform((text, context) => {
  if (/^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  context.addIssue({ code: "custom", message: "want a URL such as postgres://user:password@host:5432/database" });
  return z.NEVER;
});

/** A text that is not quoted where it is wrong: it is a password, or somebody has put one there. */
export function confidential({ isRight, want }: { isRight: (text: string) => boolean; want: string }) {
  return z
    .string()
    .refine(isRight, { error: ({ input }) => `got ${[...String(input)].length} characters, want ${want}` });
}
