import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyEmptyDatabase } from "#tests/empty-database.ts";
import { PAGES, visit } from "./addresses.ts";
import { type Answer, Client } from "./client.ts";
import { type Service, startService } from "./service.ts";

const VIEWERS = ["anyone in open mode", "nobody", "a user", "an administrator"] as const;
type Viewer = (typeof VIEWERS)[number];

const [ANYONE, NOBODY, USER, ADMINISTRATOR] = VIEWERS;
const STUDIO: Viewer[] = [ANYONE, USER, ADMINISTRATOR];

type Page = {
  /** The viewers who may see it. */
  to: Viewer[];
  title: string;
  /** Text of its markup that no other page has. */
  words: string;
};

const TABLE: Record<string, Page> = {
  "/": { to: STUDIO, title: "Templates · Platen", words: "Write your own" },
  "/login": { to: [NOBODY], title: "Sign in · Platen", words: "No account yet?" },
  "/account": { to: [USER, ADMINISTRATOR], title: "Account · Platen", words: "Other users see your name" },
  "/tokens": { to: [USER, ADMINISTRATOR], title: "Tokens · Platen", words: "A token lets a program render" },
  "/users": { to: [ADMINISTRATOR], title: "Users · Platen", words: "Everyone who has an account" },
  "/users/0199f000-0000-7000-8000-000000000000": { to: [], title: "User · Platen", words: "All users" },
  "/audit": { to: [ADMINISTRATOR], title: "Audit trail · Platen", words: "Every sign-in and every change" },
  "/status": { to: [ANYONE, ADMINISTRATOR], title: "Status · Platen", words: "Test picture" },
  "/templates/social/quote": { to: STUDIO, title: "Quote card · Platen", words: "defaultVariant" },
  "/docs": { to: STUDIO, title: "Quick start · Platen", words: "From nothing to a picture of your own" },
  "/docs/api": { to: STUDIO, title: "API reference · Platen", words: "Every operation of this service" },
  "/docs/api/social/quote": { to: STUDIO, title: "Fields of social/quote · Platen", words: "renders a PNG of" },
  "/docs/schemas": { to: STUDIO, title: "Schemas · Platen", words: "The JSON of requests and answers" },
  "/docs/errors": { to: STUDIO, title: "Errors and warnings · Platen", words: "What each code means" },
  "/docs/templates": { to: STUDIO, title: "Writing a template · Platen", words: "A design of your own in a folder" },
  "/docs/operations": { to: STUDIO, title: "Running Platen · Platen", words: "For operators: accounts and tokens" },
};

/** Everyone gets these: an invitation to sign in, or a redirect. */
const PUBLIC = ["/", "/login"];

const ADMIN = { email: "ada@example.com", password: "correct horse battery" };
const ORDINARY = { email: "grace@example.com", name: "Grace", password: "another horse battery" };

let dir: string;
let services: Service[] = [];
const clients = new Map<Viewer, { client: Client; cookie?: string | undefined }>();

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "platen-guarded-"));
  const common = {
    SERVICE_RENDER_WORKERS: "1",
    SERVICE_ALLOW_INDEXING: "true",
    DATABASE_URL: "",
    SERVICE_DATABASE_DIR: await copyEmptyDatabase(join(dir, "database")),
  };
  const open = await startService({ ...common, SERVICE_AUTH_ENABLED: "false" });
  services = [open];
  const guarded = await startService({
    ...common,
    SERVICE_AUTH_ENABLED: "true",
    SERVICE_ADMIN_EMAIL: ADMIN.email,
    SERVICE_ADMIN_PASSWORD: ADMIN.password,
  });
  services = [open, guarded];
  const client = new Client(guarded.origin);
  const { cookie } = await client.logIn(ADMIN.email, ADMIN.password);
  await client.ask("POST", "/api/service/users", { body: { ...ORDINARY, role: "user" }, cookie });
  clients.set(ANYONE, { client: new Client(open.origin) });
  clients.set(NOBODY, { client });
  clients.set(USER, { client, cookie: (await client.logIn(ORDINARY.email, ORDINARY.password)).cookie });
  clients.set(ADMINISTRATOR, { client, cookie });
});

afterAll(async () => {
  for (const service of services) if (service.npm.exitCode === null) await service.stop();
  rmSync(dir, { recursive: true, force: true });
});

const clientOf = (viewer: Viewer) => clients.get(viewer) ?? expect.fail(`no client for ${viewer}`);

function show(path: string, viewer: Viewer, headers: Record<string, string> = {}): Promise<Answer> {
  const { client, cookie } = clientOf(viewer);
  return visit(client, path, { cookie, headers });
}

it("the table has every page", () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(PAGES.toSorted());
});

describe.each(VIEWERS)("to %s", (viewer) => {
  const pages = Object.entries(TABLE);
  const shown = pages.filter(([, { to }]) => to.includes(viewer));
  const refused = pages.filter(([path, { to }]) => !(to.includes(viewer) || PUBLIC.includes(path)));

  it.each(shown)("%s is shown", async (path, { title, words }) => {
    for (const headers of [{}, { rsc: "1" }]) {
      const { status, text } = await show(path, viewer, headers);
      expect([status, text.includes(title), text.includes(words)]).toEqual([200, true, true]);
    }
  });

  it.each(refused)("%s is refused without its title and text", async (path, { title, words }) => {
    const { status } = await show(path, viewer);
    expect(status).toBe(viewer === NOBODY ? 307 : 404);
    for (const headers of [{}, { rsc: "1" }]) {
      const { text } = await show(path, viewer, headers);
      expect([text.includes(title), text.includes(words)]).toEqual([false, false]);
    }
  });
});

/** A page with all of its scripts has to arrive within two seconds over slow mobile networks (1.6 Mbit/s). */
const SCRIPT_LIMIT_BYTES = 200_000;

/** The scripts that a browser loads with a page; `nomodule` is for browsers of before 2018. */
function scriptsOf(html: string): string[] {
  const tags = html.match(/<script\b[^>]*\bsrc="[^"]+"[^>]*>/g) ?? [];
  return tags.filter((tag) => !/nomodule/i.test(tag)).map((tag) => tag.match(/src="([^"]+)"/)?.[1] ?? "");
}

describe.each([ANYONE, NOBODY, ADMINISTRATOR] as const)("the scripts of a page, compressed, sent to %s", (viewer) => {
  const shown = Object.entries(TABLE).filter(([, { to }]) => to.includes(viewer));

  it.each(shown)("of %s are few", async (path) => {
    const { text } = await show(path, viewer);
    const sizes = scriptsOf(text).map(async (script) => {
      const { headers } = await clientOf(viewer).client.ask("HEAD", script, { headers: { "accept-encoding": "br" } });
      return Number(headers["content-length"]);
    });
    const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
    expect(sum).toBeGreaterThan(50_000);
    expect(sum).toBeLessThan(SCRIPT_LIMIT_BYTES);
  });
});

it("the footer links to descriptions of the service, but not for visitors, who would get a 401", async () => {
  const hasLink = async (path: string, viewer: Viewer) =>
    (await show(path, viewer)).text.includes('href="/api/service/');
  expect([await hasLink("/docs", ANYONE), await hasLink("/account", USER)]).toEqual([true, true]);
  expect([await hasLink("/", NOBODY), await hasLink("/login", NOBODY)]).toEqual([false, false]);
});

it.each(["/docs/%25", "/docs/100%25", "/templates/%25"])(
  "a percent sign in an address, %s, is no fault",
  async (path) => {
    expect([(await show(path, ANYONE)).status, (await show(path, NOBODY)).status]).toEqual([404, 307]);
  },
);

it("open mode has no login page", async () => {
  for (const headers of [{}, { rsc: "1" }]) {
    const { text } = await show("/login", ANYONE, headers);
    expect(text).toContain("Page not found");
    expect([text.includes("Sign in"), text.includes("No account yet?")]).toEqual([false, false]);
  }
});

it("a search engine may index what everyone can read, where the operator allows it", async () => {
  const metaOf = async (path: string, viewer: Viewer) => {
    const { text } = await show(path, viewer);
    return [...text.matchAll(/<meta name="robots" content="([^"]+)"/g)].map(([, content]) => content);
  };
  const robotsOf = async (viewer: Viewer) => (await clientOf(viewer).client.ask("GET", "/robots.txt")).text;
  for (const path of ["/", "/docs", "/docs/errors", "/templates/social/quote"])
    expect([path, await metaOf(path, ANYONE)]).toEqual([path, ["index, follow"]]);
  for (const path of ["/status", "/login", "/nothing", "/templates/no/such"])
    expect([path, await metaOf(path, ANYONE)]).toEqual([path, ["noindex, nofollow"]]);
  for (const path of ["/", "/login"]) expect([path, await metaOf(path, NOBODY)]).toEqual([path, ["noindex, nofollow"]]);
  expect(await robotsOf(ANYONE)).toBe("User-agent: *\nAllow: /api/service/thumbnails/\nDisallow: /api/\n");
  expect(await robotsOf(NOBODY)).toBe("User-agent: *\nDisallow: /\n");
});
