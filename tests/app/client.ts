import { globSync } from "node:fs";
import { join } from "node:path";
import type { Handlers } from "#lib/http/route/methods.ts";

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof METHODS)[number];

/** The service's own host and origin. */
export const HOST = "localhost:3000";
export const ORIGIN = `http://${HOST}`;

/** The paths of all route files, in Next's form: `/api/service/tokens/[id]`. */
export const ROUTES = globSync("app/**/route.ts").map((file) =>
  file.replaceAll("\\", "/").slice(3, -"/route.ts".length),
);

type Params = Record<string, string | string[]>;

/** The parameters of a path by a route's pattern; undefined where the pattern does not match. */
function paramsOf(route: string, path: string): Params | undefined {
  const names: string[] = [];
  const pattern = route.replace(/\/\[(\[?)(\.\.\.)?(\w+)\]\]?/g, (_all, optional, many, name) => {
    names.push(`${many ?? ""}${name}`);
    const group = many ? "/(.+)" : "/([^/]+)";
    return optional ? `(?:${group})?` : group;
  });
  const match = new RegExp(`^${pattern}$`).exec(path);
  if (!match) return undefined;
  const given = names.flatMap((name, at) => {
    const text = match[at + 1];
    if (text === undefined) return [];
    const decoded = decodeURIComponent(text);
    return [[name.replace("...", ""), name.startsWith("...") ? decoded.split("/") : decoded] as const];
  });
  return Object.fromEntries(given);
}

/** The handlers of a route file. */
export async function loadRoute(route: string): Promise<Handlers> {
  return (await import(join(process.cwd(), "app", route, "route.ts"))) as Handlers;
}

async function find(path: string): Promise<{ handlers: Handlers; params: Params }> {
  // As in Next, names come before parameters, and parameters before catch-alls.
  const folders = ROUTES.toSorted((a, b) => a.split("[").length - b.split("[").length || b.length - a.length);
  for (const folder of folders) {
    const params = paramsOf(folder, path);
    if (params) return { handlers: await loadRoute(folder), params };
  }
  throw new Error(`No route answers ${path}.`);
}

export type Sent = {
  /** The secret of a session. */
  session?: string | undefined;
  /** The secret of a device. */
  device?: string | undefined;
  /** The secret of an API token. */
  token?: string | undefined;
  /** JSON to send. */
  json?: unknown;
  body?: BodyInit | null;
  /** Replace the default headers; undefined removes one. */
  headers?: Record<string, string | undefined>;
};

/** Calls the handler of a path, below `/api/service` unless it begins with a slash, as a page or a script does. */
export async function send(method: Method, path: string, sent: Sent = {}): Promise<Response> {
  const { session, device, token, json, body = json === undefined ? null : JSON.stringify(json) } = sent;
  const cookies = [
    ...(session === undefined ? [] : [`service_session=${session}`]),
    ...(device === undefined ? [] : [`service_device=${device}`]),
  ];
  const headers: Record<string, string | undefined> = {
    host: HOST,
    origin: method === "GET" || method === "HEAD" ? undefined : ORIGIN,
    "content-type": body === null ? undefined : "application/json",
    cookie: cookies.length === 0 ? undefined : cookies.join("; "),
    authorization: token === undefined ? undefined : `Bearer ${token}`,
    ...sent.headers,
  };
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const init = { method, body, headers: given, duplex: "half" } as RequestInit;
  const request = new Request(`${ORIGIN}/api/service/${path}`, init);
  // Request adds a content type to a string.
  if (headers["content-type"] === undefined) request.headers.delete("content-type");
  const { pathname } = new URL(request.url);
  const { handlers, params } = await find(path.startsWith("/") ? (path.split("?", 1)[0] ?? "") : pathname);
  // Next gives nothing where there are no parameters.
  const routed = Object.keys(params).length > 0 ? params : undefined;
  return handlers[method](request, { params: Promise.resolve(routed) });
}

/** The session secret that an answer sets as a cookie; undefined where it sets none. */
export function sessionOf(response: Response): string | undefined {
  return cookieOf(response, "service_session");
}

/** The device secret that an answer sets as a cookie; undefined where it sets none. */
export function deviceOf(response: Response): string | undefined {
  return cookieOf(response, "service_device");
}

function cookieOf(response: Response, name: string): string | undefined {
  const [cookie, ...others] = response.headers.getSetCookie().filter((line) => line.startsWith(`${name}=`));
  if (others.length > 0) throw new Error("A cookie was set more than once.");
  return cookie?.slice(name.length + 1).split(";", 1)[0];
}
